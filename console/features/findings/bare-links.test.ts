import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkBareUrls, type Node } from './bare-links.ts';

const linksIn = (value: string) => {
  const tree: Node = { type: 'root', children: [{ type: 'text', value }] };
  linkBareUrls()(tree);
  assert.equal(tree.children!.map((node) => node.value ?? node.children![0]!.value).join(''), value);
  return tree.children!.filter(({ tagName }) => tagName === 'a').map(({ properties }) => properties!.href);
};

test('addresses in a text become links, without trailing punctuation', () => {
  assert.deepEqual(linksIn('See https://a.example/b?c=1#d.'), ['https://a.example/b?c=1#d']);
  assert.deepEqual(linksIn('(http://a.example/), https://b.example!'), ['http://a.example/', 'https://b.example']);
  assert.deepEqual(linksIn('https://a.example/x_(y)'), ['https://a.example/x_(y)']);
});

test('only http and https are linked', () => {
  assert.deepEqual(linksIn('javascript://a.example xhttps://a.example ftp://a.example https:// www.a.example'), []);
});

test('code and links stay as they are', () => {
  const inside = (tagName: string): Node => ({
    type: 'element',
    tagName,
    children: [{ type: 'text', value: 'https://a.example' }],
  });
  const tree: Node = { type: 'root', children: [inside('code'), inside('a'), inside('p')] };
  linkBareUrls()(tree);
  assert.deepEqual(
    tree.children!.map(({ children }) => children![0]!.type),
    ['text', 'text', 'element'],
  );
});
