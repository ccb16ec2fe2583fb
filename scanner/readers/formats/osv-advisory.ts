import { scoreOfVector } from '../../advisories/cvss.ts';
import { weaknesses } from '../identifiers.ts';
import type { JsonObject } from '../json/json.ts';
import { object, objects, text, texts } from '../values.ts';

/** The parts of an OSV advisory that a finding needs. */
export type OsvAdvisory = {
  id: string;
  aliases: string[];
  title: string | undefined;
  description: string | undefined;
  /** The database's word, such as GitHub's `MODERATE`. */
  severityWord: string | undefined;
  score: number | undefined;
  weaknesses: string[];
  references: string[];
  /** Malicious packages have no score: the package itself is the attack. */
  malicious: boolean;
};

export function readOsvAdvisory(advisory: JsonObject): OsvAdvisory {
  const specific = object(advisory.database_specific);
  const scores = objects(advisory.severity).map((entry) => scoreOfVector(text(entry.score)));
  return {
    id: text(advisory.id) ?? '',
    aliases: texts(advisory.aliases),
    title: text(advisory.summary),
    description: text(advisory.details),
    severityWord: text(specific.severity) ?? text(advisory.severity),
    score: scores.findLast((score) => score !== undefined),
    weaknesses: weaknesses(texts(specific.cwe_ids), ...objects(advisory.affected).map(weaknessesOf)),
    references: objects(advisory.references).flatMap((reference) => texts(reference.url)),
    malicious: /^MAL-/.test(text(advisory.id) ?? ''),
  };
}

function weaknessesOf(affected: JsonObject): string[] {
  return objects(object(affected.database_specific).cwes).flatMap((entry) => texts(entry.cweId));
}

/**
 * Without the ecosystem's version order, the lowest fix above the installed version is unknown: the last listed one is
 * used as a hint.
 */
export function fixedVersionOf(advisory: JsonObject, name: string, version: string | undefined): string | undefined {
  const events = objects(advisory.affected)
    .filter((affected) => text(object(affected.package).name) === name)
    .flatMap((affected) => objects(affected.ranges))
    .filter((range) => text(range.type) !== 'GIT')
    .flatMap((range) => objects(range.events).flatMap((event) => texts(event.fixed)));
  const series = version?.split('.')[0];
  return events.find((fixed) => fixed.split('.')[0] === series) ?? events.at(-1);
}
