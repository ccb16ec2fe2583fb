/** A text in each language of the product. */
export type Texts = { en: string; de: string };
