declare module '*.module.css' {
  const classes: Record<string, string>;
  export default classes;
}
declare module '*.css';

/** Vite replaces it: false in the build. */
interface ImportMeta {
  readonly env: { readonly DEV: boolean };
}
