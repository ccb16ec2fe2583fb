/** Files of the template by name, besides Assay's or in their place. */
export type TemplateFiles = ReadonlyMap<string, Uint8Array>;
