import { AnsiUp } from './ansi_up.js';
import { createLogReader } from './log-lines.js';

const [, path, jobId] = /^\/(.+)\/-\/jobs\/(\d+)$/.exec(location.pathname);
const job = `/api/v4/projects/${encodeURIComponent(decodeURI(path))}/jobs/${jobId}`;
const ACTIVE = ['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'scheduled'];
const EVERY_MS = { running: 1000, other: 5000 };
const TOKEN = 'forgelog-token';

const element = (id) => document.getElementById(id);
const ansi = new AnsiUp();
const log = element('log');

/** A token stays in its tab. */
function ask(url, headers = {}) {
  const token = sessionStorage.getItem(TOKEN);
  return fetch(url, { headers: { ...headers, ...(token !== null && { 'PRIVATE-TOKEN': token }) } });
}

class Refused extends Error {}

async function answered(response) {
  if (response.status === 401 || response.status === 403 || response.status === 404) throw new Refused();
  if (!response.ok && response.status !== 416) throw new Error(`The server answers ${response.status}.`);
  return response;
}

function show({ name, status, stage, ref, commit, failure_reason: reason, duration, runner, pipeline }) {
  document.title = `${name} (${status})`;
  element('name').textContent = name;
  element('status').textContent = status;
  element('status').className = status;
  const facts = [
    `Pipeline ${pipeline.id}`,
    `stage ${stage}`,
    `${ref} at ${(commit?.short_id ?? pipeline.sha).slice(0, 8)}`,
    runner && `runner ${runner.description ?? runner.id}`,
    duration !== null && `${Math.round(duration)} s`,
    reason?.replaceAll('_', ' '),
  ];
  element('facts').textContent = facts.filter(Boolean).join(' · ');
}

const reader = createLogReader();
const decoder = new TextDecoder();
const sections = [];
let offset = 0;
let lines = 0;
let tail = null;

function lineOf(text, number) {
  const line = document.createElement('div');
  line.dataset.number = number;
  line.className = 'line';
  // ansi_up escapes what is not a colour.
  const content = document.createElement('span');
  content.innerHTML = ansi.ansi_to_html(text);
  line.append(content);
  return line;
}

const place = () => sections.at(-1)?.details ?? log;

function begin({ name, time, collapsed }) {
  const details = document.createElement('details');
  details.open = !collapsed;
  place().append(details);
  sections.push({ name, time, details, summary: null });
}

function add(text) {
  const section = sections.at(-1);
  const line = lineOf(text, ++lines);
  // The first line of a section is its title.
  if (section === undefined || section.summary !== null) return place().append(line);
  section.summary = document.createElement('summary');
  section.summary.append(line);
  section.details.append(section.summary);
}

function end({ name, time }) {
  const at = sections.findLastIndex((section) => section.name === name);
  if (at < 0) return;
  const { summary, time: from } = sections[at];
  sections.length = at;
  const seconds = document.createElement('time');
  seconds.textContent = `${Math.max(0, time - from)} s`;
  summary?.append(seconds);
}

/** Stays at the end of a log that grows, unless its reader scrolled up. */
function append(text, grows) {
  const follows = grows && innerHeight + scrollY >= document.body.scrollHeight - 50;
  tail?.remove();
  for (const item of reader.push(text)) {
    if (item.kind === 'line') add(item.text);
    else if (item.kind === 'section') begin(item);
    else end(item);
  }
  const unfinished = reader.unfinished();
  tail = unfinished === '' ? null : lineOf(unfinished, lines + 1);
  if (tail) place().append(tail);
  log.hidden = log.childElementCount === 0;
  if (follows) scrollTo(0, document.body.scrollHeight);
}

/** Reads what the log has beyond what is shown. */
async function readOn(grows) {
  const response = await answered(await ask(`${job}/trace`, { Range: `bytes=${offset}-` }));
  if (response.status === 416) return;
  let bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status === 200) bytes = bytes.subarray(offset);
  offset += bytes.length;
  append(decoder.decode(bytes, { stream: true }), grows);
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function follow() {
  for (;;) {
    const current = await (await answered(await ask(job))).json();
    show(current);
    const isActive = ACTIVE.includes(current.status);
    await readOn(isActive);
    element('raw').href = `${job}/trace`;
    element('end').hidden = sessionStorage.getItem(TOKEN) !== null;
    if (!isActive) return;
    await sleep(EVERY_MS[current.status] ?? EVERY_MS.other);
  }
}

async function start() {
  element('problem').hidden = true;
  element('sign-in').hidden = true;
  try {
    await follow();
  } catch (error) {
    const refused = error instanceof Refused;
    element('sign-in').hidden = !refused;
    element('problem').hidden = false;
    element('problem').textContent = refused
      ? 'There is no such job, or it needs a token.'
      : `${error.message} The page tries again.`;
    if (refused) return;
    await sleep(EVERY_MS.other);
    return start();
  }
}

element('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, element('token').value);
  void start();
});

await start();
