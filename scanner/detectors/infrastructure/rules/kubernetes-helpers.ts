import type { Sight } from '../rule.ts';
import { at, isRecord, listOf, type Path, textOf, type Value } from '../value.ts';
import type { YamlDocument } from '../yaml-documents.ts';

/** A resource: a whole document or an item of a list. */
export type Resource = {
  kind: string;
  name: string;
  apiVersion: string;
  body: Value;
  path: Path;
  document: YamlDocument;
};
export type Workload = Resource & { pod: Value; podPath: Path };
export type Container = { workload: Workload; name: string; body: Value; path: Path; isInit: boolean };

const maxResources = 5_000;

/** An image that can't be replaced. */
export const pinned = `example.com/app@sha256:${'0'.repeat(64)}`;

export function resourcesOf(documents: YamlDocument[]): Resource[] {
  const resources: Resource[] = [];
  const add = (body: Value, path: Path, document: YamlDocument) => {
    const kind = textOf(at(body, 'kind'));
    if (resources.length >= maxResources || !isRecord(body)) return;
    if (/List$/.test(kind) && Array.isArray(body.items) && path.length < 10) {
      for (const [index, item] of body.items.entries()) add(item, [...path, 'items', index], document);
      return;
    }
    const name = textOf(at(body, 'metadata', 'name')) || textOf(at(body, 'metadata', 'generateName'));
    const apiVersion = textOf(body.apiVersion);
    if (kind && apiVersion) resources.push({ kind, name, apiVersion, body, path, document });
  };
  for (const document of documents) add(document.value, [], document);
  return resources;
}

const podPaths: Record<string, Path> = {
  Pod: ['spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};
for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController', 'Job']) {
  podPaths[kind] = ['spec', 'template', 'spec'];
}

export const workloadsOf = (documents: YamlDocument[]): Workload[] =>
  resourcesOf(documents).flatMap((resource) => {
    const podPath = Object.hasOwn(podPaths, resource.kind) ? podPaths[resource.kind]! : null;
    const pod = podPath && at(resource.body, ...podPath);
    return podPath && isRecord(pod) ? [{ ...resource, pod, podPath }] : [];
  });

/**
 * Returns the containers that have an image. Containers without one belong to a patch, which omits unchanged members.
 */
export const containersOf = (documents: YamlDocument[]): Container[] =>
  workloadsOf(documents).flatMap((workload) =>
    ['containers', 'initContainers'].flatMap((list) =>
      listOf(at(workload.pod, list)).flatMap((body, index) => {
        const path = [...workload.podPath, list, index];
        const name = textOf(at(body, 'name')) || String(index);
        return textOf(at(body, 'image')) ? [{ workload, name, body, path, isInit: list === 'initContainers' }] : [];
      }),
    ),
  );

/** Returns the images of a workload's containers without registry and version; undefined for other resources. */
function imagesOf({ kind, body }: Resource): string | undefined {
  const podPath = Object.hasOwn(podPaths, kind) ? podPaths[kind]! : null;
  const pod = podPath && at(body, ...podPath);
  if (!pod) return undefined;
  const images = ['containers', 'initContainers'].flatMap((list) =>
    listOf(at(pod, list)).map((container) => textOf(at(container, 'image'))),
  );
  const names = images.map((image) => image.replace(/@.*$|:[^/]*$/, '').replace(/^.*\//, '')).filter(Boolean);
  return names.length > 0 ? names.sort().join(' ') : undefined;
}

const resourceName = ({ kind, name }: Resource): string => `${kind}/${name || 'unnamed'}`;

/** `path` is the path within the resource to the wrong value, or to the object that lacks it. */
export function onResource(resource: Resource, path: Path, evidence: string, key = ''): Sight {
  const images = imagesOf(resource);
  return {
    resource: `${resourceName(resource)}${key && ` ${key}`}`,
    evidence: evidence.slice(0, 300),
    ...firstLines(resource.document, [...resource.path, ...path]),
    ...(images !== undefined && { images }),
  };
}

export const onContainer = (container: Container, path: Path, evidence: string, key = ''): Sight =>
  onResource(
    container.workload,
    [...container.path, ...path],
    evidence,
    `container ${container.name}${key && ` ${key}`}`,
  );

/** The first lines are enough to locate a large block. */
function firstLines(document: YamlDocument, path: Path) {
  const { startLine, endLine } = document.linesOf(path);
  return { startLine, endLine: Math.min(endLine, startLine + 5) };
}

/** Returns a security setting of the container, or of its pod if the container has none. */
export function securityOf({ workload, body }: Container, name: string): Value {
  return at(body, 'securityContext', name) ?? at(workload.pod, 'securityContext', name);
}
