import type { operations } from './schema.ts';

/** The query parameters of an operation. */
export type Query<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>;

/** A time in a query may also be a Date. */
export type WithDates<T> = {
  [Name in keyof T]: Name extends 'from' | 'to' | `${string}_from` | `${string}_to` ? T[Name] | Date : T[Name];
};

/** The request body of an operation. */
export type BodyOf<Id extends keyof operations> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;
