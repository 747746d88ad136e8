// One prompt with Cursor's own local runtime: the agent that the SDK carries runs the tools.
// cursor.mjs SDK_FOLDER [MCP_SERVERS_JSON]
import { createRequire } from 'node:module';
import path from 'node:path';

const [folder, servers] = process.argv.slice(2);
const require = createRequire(path.join(folder, 'x.js'));
const loaded = await import(require.resolve('@cursor/sdk'));
const { Agent, Cursor, JsonlLocalAgentStore } = loaded.Agent ? loaded : loaded.default;

// its own store needs a newer node than other tests do
Cursor.configure({ local: { useHttp1ForAgent: true, store: new JsonlLocalAgentStore(path.join(process.env.HOME, 'agents')) } });
const agent = await Agent.create({
  apiKey: 'a-test-key',
  model: { id: 'a-model' },
  ...(servers ? { mcpServers: JSON.parse(servers) } : {}),
  local: { cwd: process.cwd(), autoReview: process.env.AUTO_REVIEW !== '0', settingSources: ['user', 'project'], enableAgentRetries: false },
});
const run = await agent.send('Please do all the steps.');
for await (const event of run.stream()) if (process.env.SHOW) console.log(JSON.stringify(event));
console.log(JSON.stringify(await run.wait()));
process.exit(0);
