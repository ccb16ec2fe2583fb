/** Returns the quality that an `Accept` header gives a media type by its most specific range; 0 when it does not accept it. */
function qualityOf(header: string, type: string): number {
  const [group] = type.split('/');
  let best = { specificity: -1, quality: 0 };
  for (const range of header.split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const specificity = [`*/*`, `${group}/*`, type].indexOf(name!);
    if (specificity <= best.specificity) continue;
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    best = { specificity, quality: Number.isFinite(quality) ? quality : 0 };
  }
  return best.quality;
}

/** Returns whether a client prefers `type` to JSON (RFC 9110, 12.5.1). JSON is the default and wins ties. */
export function prefersType(header: string | undefined, type: string): boolean {
  return header !== undefined && qualityOf(header, type) > qualityOf(header, 'application/json');
}
