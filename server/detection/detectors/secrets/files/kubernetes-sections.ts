/** The entries of a Kubernetes Secret in a text: from the line after `data:` to the end of its block. */
type Section = { name: 'data' | 'stringData'; start: number; end: number; indent: number };
type Open = { indent: number; isSecret: boolean; sections: Section[] };
type Document = { text: string; start: number; end: number; sections: Section[] };

const keyLine = /^([ \t]*(?:- +)*)["']?([\w./-]+)["']?[ \t]*:[ \t]*(?:["']?(\w*)["']?)/;
const inlineSection = /"(data|stringData)"\s*:\s*\{([^{}]*)\}/g;

let last: Document | null = null;

/**
 * Returns the section of a Kubernetes Secret that holds this offset, or null. Reads each YAML document once: its values
 * are looked up one after the other.
 */
export function sectionAt(text: string, offset: number): Section | null {
  if (!last || offset < last.start || offset >= last.end || last.text !== text) {
    const start = text.lastIndexOf('\n---', offset) + 1;
    const next = text.indexOf('\n---', offset + 1);
    const end = next < 0 ? text.length + 1 : next + 1;
    last = { text, start, end, sections: readSections(text, start, Math.min(end, text.length)) };
  }
  const { sections } = last;
  let low = 0;
  let high = sections.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sections[middle]!.start <= offset) low = middle + 1;
    else high = middle;
  }
  const found = sections[low - 1];
  return found && offset < found.end ? found : null;
}

function readSections(text: string, start: number, end: number): Section[] {
  const found: Section[] = [];
  const open: Open[] = [];
  const close = (map: Open, at: number) => {
    const section = map.sections.at(-1);
    if (section?.end === Number.POSITIVE_INFINITY) section.end = at;
  };
  const drop = (indent: number, at: number) => {
    while (open.length > 0 && open.at(-1)!.indent >= indent) {
      const map = open.pop()!;
      close(map, at);
      if (map.isSecret) found.push(...map.sections);
    }
  };
  for (let at = start; at < end; ) {
    const stop = text.indexOf('\n', at);
    const next = stop < 0 || stop > end ? end : stop + 1;
    const line = text.slice(at, next);
    const [, lead, key = '', value = ''] = keyLine.exec(line.slice(0, 400)) ?? [];
    if (/"kind"\s*:\s*"Secret"/.test(line)) found.push(...readInline(line, at));
    if (lead !== undefined) {
      drop(lead.includes('-') ? lead.length : lead.length + 1, at);
      if (open.at(-1)?.indent !== lead.length) open.push({ indent: lead.length, isSecret: false, sections: [] });
      const map = open.at(-1)!;
      close(map, at);
      if (key === 'kind' && value === 'Secret') map.isSecret = true;
      if (key === 'data' || key === 'stringData') {
        map.sections.push({ name: key, start: next - 1, end: Number.POSITIVE_INFINITY, indent: lead.length });
      }
    }
    at = next;
  }
  drop(-1, end);
  return found.sort((left, right) => left.start - right.start);
}

function readInline(line: string, at: number): Section[] {
  return [...line.matchAll(inlineSection)].map(({ 0: whole, 1: name, index }) => ({
    name: name as Section['name'],
    start: at + index + whole.indexOf('{'),
    end: at + index + whole.length,
    indent: -1,
  }));
}
