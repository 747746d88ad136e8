// Runs the scenarios one after the other. Started by run.sh.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startModel } from './model.mjs';
import { rejectAll, scenarios } from './scenarios.mjs';

const [top, ...only] = process.argv.slice(2);
const build = process.env.ASSENT_BUILD ?? path.join(top, 'build');
const claude = process.env.ASSENT_REAL_CLAUDE;
const LIMIT_MS = 60_000;
let passed = 0, failed = 0;

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// One scratch home with the programs, a project, the hooks and a clean environment.
class World {
  constructor(name) {
    this.root = fs.mkdtempSync(path.join(os.tmpdir(), 'assent-real.'));
    this.name = name;
    this.home = path.join(this.root, 'home');
    this.project = path.join(this.home, 'project');
    this.bin = path.join(this.root, 'bin');
    this.remote = path.join(this.root, 'remote.git');
    this.assent = path.join(this.bin, 'assent');
    for (const d of [this.project, this.bin, path.join(this.home, '.config/assent')]) fs.mkdirSync(d, { recursive: true });
    for (const p of ['assent', 'assentd']) fs.copyFileSync(path.join(build, p), path.join(this.bin, p));
    this.write('home/.config/assent/assent.conf', 'set authority none\n');
    this.write('home/.gitconfig', '[user]\n\tname = Dev\n\temail = dev@example.com\n[init]\n\tdefaultBranch = main\n');
    this.write('home/keep.txt', 'keep me\n');
    this.write('home/project/README.md', '# project\n');
    this.env = {
      PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, HOME: this.home, USER: 'dev', LOGNAME: 'dev',
      SHELL: '/bin/bash', LANG: 'C.UTF-8', TERM: 'xterm-256color', TMPDIR: path.join(this.root),
    };
    this.sh(`git init -q --bare '${this.remote}' && git init -q . && git add -A && git commit -qm start && git remote add origin '${this.remote}'`);
  }

  write(file, text) {
    const p = path.join(this.root, file);
    fs.mkdirSync(path.dirname(p), { recursive: true });
    fs.writeFileSync(p, text);
  }

  exists(file) { return fs.existsSync(path.join(this.root, file)); }

  sh(line) {
    const r = spawnSync('/bin/sh', ['-c', line], { cwd: this.project, env: this.env, encoding: 'utf8' });
    return { status: r.status, out: r.stdout + r.stderr };
  }

  // A person's command.
  run(...args) {
    const r = spawnSync(this.assent, [...args, '--home', this.home], { cwd: this.project, env: this.env, encoding: 'utf8' });
    return { status: r.status, out: r.stdout, err: r.stderr };
  }

  install(version = process.env.CLAUDE_VERSION ?? '2.1.332') {
    const r = this.run('install', 'claude-code', '--yes', '--agent-version', version);
    if (r.status !== 0) throw new Error(`install: ${r.out}${r.err}`);
  }

  json(...args) {
    const r = this.run(...args, '--json');
    try { return JSON.parse(r.out); } catch { return null; }
  }

  cards() { return this.json('cards')?.cards ?? []; }

  // Waits for a card while the agent runs; null when the agent ended without.
  async card(agent) {
    while (!agent.ended) {
      const open = this.cards();
      if (open.length) return open[0];
      await sleep(200);
    }
    return null;
  }

  // This world's daemons: processes that run its own copy of assentd.
  daemons() {
    const own = path.join(this.bin, 'assentd');
    return fs.readdirSync('/proc').filter((p) => /^\d+$/.test(p)).filter((p) => {
      try { return fs.readlinkSync(`/proc/${p}/exe`).replace(/ \(deleted\)$/, '') === own; } catch { return false; }
    }).map(Number);
  }

  // A model that judges (tests/model), on loopback, and the settings to ask it.
  async judgedBy(...script) {
    const folder = path.join(this.root, 'judge');
    this.write('judge/script', script.join('\n') + '\n');
    this.judge = spawn(path.join(build, 'model'), [folder], { stdio: 'ignore' });
    while (!this.exists('judge/port')) await sleep(20);
    const port = fs.readFileSync(path.join(folder, 'port'), 'utf8').trim();
    this.write('home/.config/assent/assent.conf',
      `set authority none\nset judge.provider openai\nset judge.model scripted\nset judge.url http://127.0.0.1:${port}\n`);
  }

  // What that model was asked: the user messages.
  asked() {
    if (!this.exists('judge/log')) return [];
    return fs.readFileSync(path.join(this.root, 'judge/log'), 'utf8').trim().split('\n').map((line) => {
      const body = JSON.parse(line).body;
      return (typeof body === 'string' ? JSON.parse(body) : body).messages.at(-1).content;
    });
  }

  killDaemons() { for (const p of this.daemons()) { try { process.kill(p, 'SIGKILL'); } catch { /* gone */ } } }

  done() {
    this.killDaemons();
    this.judge?.kill('SIGKILL');
    if (process.env.KEEP) console.log(`  kept: ${this.root}`); else fs.rmSync(this.root, { recursive: true, force: true });
  }
}

// Starts the agent on the scenario's prompt.
function startAgent(world, scenario, model) {
  const args = ['-p', scenario.prompt ?? 'Please do the work.', '--output-format', 'stream-json', '--verbose', '--model', 'claude-sonnet-4-5'];
  const env = {
    ...world.env, ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'test-key', ENABLE_TOOL_SEARCH: 'false', DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1', DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  if (scenario.yolo) { args.push('--dangerously-skip-permissions'); env.IS_SANDBOX = '1'; }
  const agent = { ended: false, out: '' };
  const child = spawn(claude, args, { cwd: world.project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', (d) => { agent.out += d; });
  child.stderr.on('data', (d) => { agent.out += d; });
  const limit = setTimeout(() => { agent.late = true; child.kill('SIGKILL'); }, LIMIT_MS);
  agent.end = new Promise((done) => child.on('close', (code) => { clearTimeout(limit); agent.ended = true; agent.code = code; done(); }));
  return agent;
}

async function run(scenario) {
  const world = new World(scenario.name);
  const faults = [];
  const is = (fact, what) => { if (fact) { passed++; } else { failed++; faults.push(what); } };
  let model, agent;
  try {
    if (scenario.install !== false) world.install(...(scenario.install ?? []));
    await scenario.before?.(world);
    model = await startModel(typeof scenario.model === 'function' ? scenario.model(world) : scenario.model);
    agent = startAgent(world, scenario, model);
    await (scenario.meanwhile ?? rejectAll)(world, agent, is);
    await agent.end;
    is(!agent.late, 'the agent came to an end by itself');
    scenario.after({ world, told: model.told(), results: model.results(), is, agent });
  } catch (e) {
    failed++;
    faults.push(e.stack);
  }
  console.log(`${faults.length ? 'NOT ' : 'well'}  ${scenario.name}`);
  for (const f of faults) console.log(`      not so: ${f}`);
  if (faults.length) {
    console.log(`      told: ${(model?.results() ?? '').slice(-1500)}`);
    console.log(`      agent: ${(agent?.out ?? '').slice(-700)}`);
    console.log(`      audit: ${world.run('audit', 'list').out.slice(-1500)}`);
  }
  model?.stop();
  world.done();
}

for (const s of scenarios) {
  if (!only.length || only.includes(s.name)) await run(s);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
