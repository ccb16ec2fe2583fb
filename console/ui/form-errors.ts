import { createContext, useContext, useEffect } from 'react';

/** The errors of a refused request that belong to the fields of a form. */
export type FormErrors = {
  /** Messages by the API's name of the field. */
  messages: Readonly<Record<string, string>>;
  /** The names for which a field of the form shows messages. */
  shown: Set<string>;
};

export const FormErrorsContext = createContext<FormErrors>({ messages: {}, shown: new Set() });

/** Whether a name is that of the field or of a part of it: `tags[2]` of `tags`. */
const isOf = (name: string, field: string) =>
  name === field || name.startsWith(`${field}[`) || name.startsWith(`${field}.`);

/** Returns whether one of the fields shows the messages about this name. */
export const isShown = ({ shown }: FormErrors, name: string): boolean => [...shown].some((field) => isOf(name, field));

/** Returns the server's error about a field of the API, or about one of several that a control stands for. */
export function useFieldError(field: string | undefined): string | null {
  const { messages, shown } = useContext(FormErrorsContext);
  useEffect(() => {
    if (field === undefined) return;
    for (const name of field.split(' ')) shown.add(name);
    return () => {
      for (const name of field.split(' ')) shown.delete(name);
    };
  }, [field, shown]);
  if (field === undefined) return null;
  const names = field.split(' ');
  return Object.entries(messages).find(([name]) => names.some((one) => isOf(name, one)))?.[1] ?? null;
}
