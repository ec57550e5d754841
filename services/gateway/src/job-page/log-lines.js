const MARK = /section_(start|end):(\d+):([\w.-]+)(\[[^\]]*\])?\r/g;
const ERASE = /\x1b\[[0-2]?K/g;
const ESCAPES = /\x1b\[[\d;]*[A-Za-z]|[\x00-\x08\x0b-\x1f]/g;

/** What a terminal shows of a line: a carriage return begins it anew. */
const shown = (line) => {
  const text = line.replace(/\r+$/, '');
  return text.slice(text.lastIndexOf('\r') + 1).replace(ERASE, '');
};

function itemsOf(line) {
  const items = [];
  let from = 0;
  for (const mark of line.matchAll(MARK)) {
    const [whole, kind, time, name, options = ''] = mark;
    const before = shown(line.slice(from, mark.index));
    if (before !== '') items.push({ kind: 'line', text: before });
    items.push(
      kind === 'start'
        ? { kind: 'section', name, time: Number(time), collapsed: options.includes('collapsed=true') }
        : { kind: 'end', name, time: Number(time) },
    );
    from = mark.index + whole.length;
  }
  const last = shown(line.slice(from));
  if (last !== '' || from === 0) items.push({ kind: 'line', text: last });
  return items;
}

export function createLogReader() {
  let rest = '';
  return {
    push(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      return lines.flatMap(itemsOf);
    },
    unfinished: () => shown(rest.replace(MARK, '')).replace(ESCAPES, ''),
  };
}
