import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Value = { stringValue?: string; intValue?: number | string };
type Attributes = Array<{ key: string; value: Value }>;
type Sent = { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes: Attributes };
type Export = {
  resourceSpans: Array<{ resource: { attributes: Attributes }; scopeSpans: Array<{ spans: Sent[] }> }>;
};

export type ReceivedSpan = Omit<Sent, 'attributes'> & {
  service: string | number | undefined;
  attributes: Record<string, string | number | undefined>;
};

const valuesOf = (attributes: Attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

function spansOf({ resourceSpans }: Export): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = valuesOf(resource.attributes)['service.name'];
    const spans = scopeSpans.flatMap((scope) => scope.spans);
    return spans.map((span) => ({ ...span, service, attributes: valuesOf(span.attributes) }));
  });
}

/** A collector of traces on this machine, which receives OTLP over HTTP as JSON. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  /** Everything that arrived, to search it for forbidden content. */
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    spans.push(...spansOf(JSON.parse(body)));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    spans,
    bodies,
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type OtlpReceiver = Awaited<ReturnType<typeof startOtlpReceiver>>;
