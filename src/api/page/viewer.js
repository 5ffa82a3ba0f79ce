// Exchanges the code of a link for a key, then shows the health of the worker. All text is set as text, never as HTML.

const STORED_KEY = 'cairn.key';
const message = document.getElementById('message');

try {
  const code = location.hash.slice(1);
  if (code) {
    history.replaceState(null, '', '/');
    const { key } = await call('/api/keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    localStorage.setItem(STORED_KEY, key);
  }
  const key = localStorage.getItem(STORED_KEY);
  if (key) showHealth(await call('/api/health', { headers: { authorization: `Bearer ${key}` } }));
  else message.textContent = 'This browser has no key yet. Run: cairn open';
} catch (error) {
  message.textContent = error.message;
}

async function call(path, options) {
  const response = await fetch(path, options).catch(() => null);
  if (!response) throw new Error('The worker does not answer. Start it: cairn open');
  const answer = await response.json();
  if (response.ok) return answer;
  if (response.status === 401) localStorage.removeItem(STORED_KEY);
  throw new Error(answer.detail);
}

function showHealth({ version, worker, stored, spool, databaseBytes }) {
  message.textContent = `Cairn ${version}, worker running since ${new Date(worker.startedAt).toLocaleTimeString()}.`;
  const rows = {
    Projects: stored.projects,
    Sessions: stored.openSessions ? `${stored.sessions} (${stored.openSessions} open)` : stored.sessions,
    Memories: stored.memories,
    'Pending events': spool.pending,
    'Pending jobs': stored.waitingJobs,
    'Failed jobs': stored.deadJobs,
    Size: `${(databaseBytes / 1024 / 1024).toFixed(1)} MB`,
  };
  const list = document.getElementById('health');
  for (const [name, value] of Object.entries(rows)) {
    const term = document.createElement('dt');
    term.textContent = name;
    const description = document.createElement('dd');
    description.textContent = String(value);
    list.append(term, description);
  }
  list.hidden = false;
  document.getElementById('more').hidden = false;
}
