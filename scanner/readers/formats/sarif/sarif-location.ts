import type { Location } from '../../../contract/detection.ts';
import type { JsonObject } from '../../json/json.ts';
import { decodedPath } from '../../paths.ts';
import { object, objects, position, text } from '../../values.ts';
import type { SarifTool } from './sarif-rules.ts';

/** The files of a run by index; a location may refer to its file only by index. */
export type Artifacts = Map<number, string>;

/** The facts about a run that are known when a result is read. */
export type SarifRun = { source: string; tool: SarifTool; artifacts: Artifacts; commit: string | undefined };

/** A location of a result; `snippet` is the code of the region itself. */
export type SarifLocation = {
  path: string | null;
  logical: string | undefined;
  snippet: string | undefined;
} & Pick<Location, 'start_line' | 'end_line' | 'start_column' | 'end_column'>;

export function readLocation(location: JsonObject, artifacts: Artifacts): SarifLocation {
  const physical = object(location.physicalLocation);
  const artifact = object(physical.artifactLocation);
  const region = object(physical.region);
  const context = object(physical.contextRegion);
  const start = position(region.startLine);
  const logical = object(objects(location.logicalLocations)[0] ?? location.logicalLocation);
  return {
    path: decodedPath(text(artifact.uri) ?? artifacts.get(artifact.index as number)),
    logical: text(logical.fullyQualifiedName) ?? text(logical.name),
    start_line: start,
    end_line: position(region.endLine) ?? start,
    start_column: position(region.startColumn),
    end_column: position(region.endColumn),
    snippet: text(object(region.snippet).text) ?? ownLines(region, context),
  };
}

/** Whether the file is given only by an index whose artifact has not been read yet. */
export function needsArtifacts(result: JsonObject, artifacts: Artifacts): boolean {
  return objects(result.locations).some((location) => {
    const artifact = object(object(location.physicalLocation).artifactLocation);
    return (
      text(artifact.uri) === undefined &&
      typeof artifact.index === 'number' &&
      artifact.index >= 0 &&
      !artifacts.has(artifact.index)
    );
  });
}

/** Returns the region's lines from the snippet around it: the neighbouring lines are not part of the identity. */
function ownLines(region: JsonObject, context: JsonObject): string | undefined {
  const start = position(region.startLine);
  const first = position(context.startLine);
  const around = text(object(context.snippet).text);
  if (start === null || first === null || around === undefined || start < first) return undefined;
  const end = position(region.endLine) ?? start;
  return text(
    around
      .split(/\r?\n/)
      .slice(start - first, end - first + 1)
      .join('\n'),
  );
}
