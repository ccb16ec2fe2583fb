import { deflateSync } from 'node:zlib';

/** The number of objects in a stream: readers decompress a whole stream for one object. */
const objectsPerStream = 200;

/** Transforms objects in their written form. */
type Change = (objects: string[]) => string[];

type IndirectObject = { number: number; start: number; end: number; isStream: boolean };

/**
 * Returns the same document with its small objects in compressed streams (ISO 32000-1, 7.5.7) and a compressed table of
 * objects. Typst writes them as text, and the structure for screen readers makes up three quarters of the file.
 * Supports only Typst's output: one section of the table, no updates. Streams stay unchanged; `change` may change the
 * small objects.
 */
export function compactPdf(pdf: Buffer, change: Change = (objects) => objects): Buffer {
  const tableStart = Number(/startxref\s+(\d+)/.exec(pdf.toString('latin1', pdf.length - 64))?.[1]);
  const table = pdf.toString('latin1', tableStart);
  const objects = readObjects(pdf, table, tableStart);
  const trailer = /trailer\s*<<([\s\S]*)>>/.exec(table)?.[1];
  if (objects.length === 0 || trailer === undefined) throw new Error('The PDF has no table of objects.');
  const output = new Output(pdf.subarray(0, objects[0]!.start));
  const entries: Entry[] = [{ type: 0, field: 0, index: 65_535 }];
  const plain = objects.filter(({ isStream }) => !isStream);
  const bodies = change(plain.map(({ start, end }) => body.exec(pdf.toString('latin1', start, end))![1]!));
  for (const { number, start, end } of objects.filter(({ isStream }) => isStream))
    entries[number] = { type: 1, field: output.add(pdf.subarray(start, end)), index: 0 };
  let next = Math.max(...objects.map(({ number }) => number)) + 1;
  for (let first = 0; first < plain.length; first += objectsPerStream) {
    const members = plain.slice(first, first + objectsPerStream);
    members.forEach(({ number }, index) => {
      entries[number] = { type: 2, field: next, index };
    });
    entries[next] = {
      type: 1,
      field: output.add(objectStream(next, members, bodies.slice(first, first + objectsPerStream))),
      index: 0,
    };
    next++;
  }
  const position = output.length;
  entries[next] = { type: 1, field: position, index: 0 };
  output.add(crossReferences(next, entries, trailer.replace(/\/Size\s+\d+/, '')));
  output.add(Buffer.from(`startxref\n${position}\n%%EOF\n`, 'latin1'));
  return output.bytes();
}

/** Reads the table of objects, in the order of the file. */
function readObjects(pdf: Buffer, table: string, tableStart: number): IndirectObject[] {
  const first = Number(/^xref\s+(\d+) \d+/.exec(table)?.[1]);
  const starts = [...table.matchAll(/^(\d{10}) \d{5} ([nf])/gm)]
    .map(([, offset, use], index) => ({ number: first + index, start: Number(offset), used: use === 'n' }))
    .filter(({ used }) => used)
    .sort((a, b) => a.start - b.start);
  return starts.map(({ number, start }, index) => {
    const end = starts[index + 1]?.start ?? tableStart;
    const ending = pdf.toString('latin1', Math.max(start, end - 40), end);
    // The catalog stays readable, because simple tools look there for the language and marks of a document.
    const isCatalog = end - start < 4_000 && pdf.toString('latin1', start, end).includes('/Type /Catalog');
    return { number, start, end, isStream: ending.includes('endstream') || isCatalog };
  });
}

const body = /^\s*\d+ 0 obj\s*([\s\S]*?)\s*endobj\s*$/;

function objectStream(number: number, members: IndirectObject[], bodies: string[]): Buffer {
  let position = 0;
  const header = bodies.map((text, index) => {
    const pair = `${members[index]!.number} ${position}`;
    position += text.length + 1;
    return pair;
  });
  const start = `${header.join(' ')}\n`;
  const content = deflateSync(Buffer.from(`${start}${bodies.join('\n')}`, 'latin1'));
  return stream(number, `/Type /ObjStm /N ${members.length} /First ${start.length}`, content);
}

/** An entry of the table: a free object (0), an offset (1), or an object in a stream (2). */
type Entry = { type: 0 | 1 | 2; field: number; index: number };

function crossReferences(number: number, entries: Entry[], trailer: string): Buffer {
  const rows = Buffer.alloc(entries.length * 7);
  for (let index = 0; index < entries.length; index++) {
    const { type, field, index: place } = entries[index] ?? entries[0]!;
    rows.writeUInt8(type, index * 7);
    rows.writeUInt32BE(field, index * 7 + 1);
    rows.writeUInt16BE(place, index * 7 + 5);
  }
  const known = trailer.replace(/\s+/g, ' ').trim();
  return stream(number, `/Type /XRef /Size ${entries.length} /W [1 4 2] ${known}`, deflateSync(rows));
}

const stream = (number: number, dictionary: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `${number} 0 obj\n<< ${dictionary} /Filter /FlateDecode /Length ${content.length} >>\nstream\n`,
      'latin1',
    ),
    content,
    Buffer.from('\nendstream\nendobj\n', 'latin1'),
  ]);

/** Collects bytes and tracks their position. */
class Output {
  readonly #parts: Buffer[];
  length: number;

  constructor(start: Buffer) {
    this.#parts = [start];
    this.length = start.length;
  }

  /** Adds bytes and returns their start. */
  add(part: Buffer): number {
    const position = this.length;
    this.#parts.push(part);
    this.length += part.length;
    return position;
  }

  bytes = (): Buffer => Buffer.concat(this.#parts);
}
