/** Properties that style sheets give to the parts of a drawing: an image has no style sheets. */
const kept = ['fill', 'stroke', 'stroke-width', 'font-size', 'font-family', 'text-anchor', 'opacity'] as const;

/** Twice as fine as the screen, for paper. */
const scale = 2;

/** Returns the drawing as a standalone document, in the colours it has on the page. */
function documentOf(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const parts = [...svg.querySelectorAll('*')];
  for (const [index, part] of [...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(parts[index]!);
    for (const name of kept) part.setAttribute(name, style.getPropertyValue(name));
  }
  const { width, height } = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return new XMLSerializer().serializeToString(copy);
}

/** Downloads a drawing as a PNG on the ground of the page. */
export async function downloadPng(svg: SVGSVGElement, name: string): Promise<void> {
  const { width, height } = svg.getBoundingClientRect();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(documentOf(svg))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: width * scale, height: height * scale });
  const context = canvas.getContext('2d')!;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  Object.assign(document.createElement('a'), { href: canvas.toDataURL('image/png'), download: name }).click();
}
