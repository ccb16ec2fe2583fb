import { readFileSync } from 'node:fs';

const file = new URL('../../clients/conformance/parameters.json', import.meta.url);

/**
 * `names`: what all libraries call the query parameters of an operation. `set_by_methods`: the parameters that methods set
 * themselves.
 */
export const { names: parameterNames, set_by_methods: setByMethods } = JSON.parse(readFileSync(file, 'utf8'));
