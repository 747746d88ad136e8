// A scripted model on loopback: Anthropic's messages, streamed or at once.
//
// Every turn that it plays carries a mark ("[turn 3]" in its text). A request
// that shows marks up to N gets turn N + 1, so that a repeated request gets the
// same answer. A request without tools (titles, summaries) is aside.
import http from 'node:http';

const usage = { input_tokens: 10, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

function turnOf(messages) {
  const marks = [...JSON.stringify(messages).matchAll(/\[turn (\d+)\]/g)].map((m) => Number(m[1]));
  return Math.max(-1, ...marks) + 1;
}

// The words that the agent's user began with: they tell subagents apart.
function firstWords(messages) {
  for (const m of messages) {
    if (m.role !== 'user') continue;
    const parts = typeof m.content === 'string' ? [m.content] : m.content.map((c) => c.text ?? '');
    const text = parts.filter((t) => t && !t.trimStart().startsWith('<system-reminder>')).join('\n');
    if (text) return text;
  }
  return '';
}

function play(script, body, serial) {
  if (!body.tools?.length) return [{ type: 'text', text: 'Aside.' }];
  const words = firstWords(body.messages);
  const helper = (script.helpers ?? []).find((h) => words.includes(h.words));
  const n = turnOf(body.messages);
  const turn = (helper ?? script).turns[n] ?? {};
  const calls = (turn.calls ?? []).map(([name, input], k) => ({ type: 'tool_use', id: `toolu_${serial}_${n}_${k}`, name, input }));
  return [{ type: 'text', text: `${turn.text ?? (calls.length ? 'Next.' : 'Done.')} [turn ${n}]` }, ...calls];
}

function stream(res, message) {
  const send = (event) => res.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ type: 'message_start', message: { ...message, content: [], stop_reason: null } });
  message.content.forEach((block, index) => {
    const text = block.type === 'text';
    send({ type: 'content_block_start', index, content_block: text ? { type: 'text', text: '' } : { ...block, input: {} } });
    send({ type: 'content_block_delta', index, delta: text ? { type: 'text_delta', text: block.text } : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) } });
    send({ type: 'content_block_stop', index });
  });
  send({ type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } });
  send({ type: 'message_stop' });
  res.end();
}

// Starts it. What it returns: url, told() (all that the agent sent back as
// results and context, as one text), results(), stop().
export async function startModel(script) {
  const requests = [];
  let serial = 0;
  const server = http.createServer((req, res) => {
    const parts = [];
    req.on('data', (d) => parts.push(d));
    req.on('end', () => {
      const json = (o) => { res.writeHead(200, { 'content-type': 'application/json' }); res.end(JSON.stringify(o)); };
      let body = {};
      try { body = JSON.parse(Buffer.concat(parts).toString() || '{}'); } catch { /* not ours to judge */ }
      if (!req.url.startsWith('/v1/messages')) return json({});
      if (req.url.includes('count_tokens')) return json({ input_tokens: 10 });
      requests.push(body);
      const content = play(script, body, ++serial);
      const message = {
        id: `msg_${serial}`, type: 'message', role: 'assistant', model: body.model, content,
        stop_reason: content.some((c) => c.type === 'tool_use') ? 'tool_use' : 'end_turn', stop_sequence: null, usage,
      };
      if (body.stream) stream(res, message); else json(message);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    told: () => requests.flatMap((r) => r.messages ?? []).filter((m) => m.role === 'user').map((m) => (typeof m.content === 'string' ? m.content : JSON.stringify(m.content))).join('\n'),
    // only the tools' results, of the last request
    results: () => (requests.at(-1)?.messages ?? []).filter((m) => m.role === 'user' && Array.isArray(m.content)).flatMap((m) => m.content).filter((c) => c.type === 'tool_result').map((c) => JSON.stringify(c.content)).join('\n'),
    stop: () => { server.closeAllConnections(); server.close(); },
  };
}
