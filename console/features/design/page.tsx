import type { FindingStatus, ScanStatus } from '@assay/client';
import { type ReactNode, useEffect } from 'react';
import { KeyNames } from '../../keys/key-names.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import { Toasts } from '../../ui/toasts.tsx';
import { SeverityMark, StatusMark, Tag } from '../findings/marks.tsx';
import { severities, statusNames } from '../findings/words.ts';
import { ConnectionMark, ScanStatusMark } from '../scans/marks.tsx';
import { scanStatusNames } from '../scans/words.ts';
import { Buttons, Choices, Fields } from './controls.tsx';
import classes from './design.module.css';
import { Floating, Lists, States } from './parts.tsx';
import { showStates } from './shown-states.ts';

const tokens =
  'ground sunken raised hover selected here chip text muted faint line edge border accent accent-solid accent-strong critical-solid high-solid medium-solid low-solid info-solid chart-in chart-out age-1 age-2 age-3 age-4 ok warn danger ink'.split(
    ' ',
  );

const sizes: [className: string | undefined, text: string, measure: string][] = [
  [classes.figure, '2,104', '600 28/36'],
  [classes.object, 'SQL injection in login.js', '600 20/28'],
  [classes.lead, 'Anyone who can reach the page', '400 14/20'],
  [undefined, 'JWT is verified without a list of algorithms', '400 13/20'],
  [classes.small, 'internal/auth/token.go:77', '400 12/16'],
];

const tab = (label: string, count?: number): Tab => ({
  label,
  count,
  to: '/design',
  search: { tab: label },
  current: count === 12,
});

const Row = ({ children }: { children: ReactNode }) => <div className={classes.row}>{children}</div>;

const Wide = ({ children }: { children: ReactNode }) => <div className={classes.wide}>{children}</div>;

/** Every control in every state, for development only. The test of looks measures it in light and dark. */
export default function DesignPage() {
  useEffect(showStates, []);
  return (
    <main>
      <Page title="Design" note="Every control in every state">
        <div className={classes.parts}>
          <Section title="Type">
            <dl className={classes.type}>
              {sizes.map(([className, text, measure]) => [
                <dt key={text} className={className}>
                  {text}
                </dt>,
                <dd key={measure}>{measure}</dd>,
              ])}
            </dl>
          </Section>
          <Section title="Marks">
            <Row>
              {severities.map((severity) => (
                <SeverityMark key={severity} severity={severity} />
              ))}
            </Row>
            <Row>
              {severities.map((severity) => (
                <SeverityMark key={severity} severity={severity} pill />
              ))}
            </Row>
            <Row>
              {(Object.keys(statusNames) as FindingStatus[]).map((status) => (
                <StatusMark key={status} status={status} />
              ))}
            </Row>
            <Row>
              {(Object.keys(scanStatusNames) as ScanStatus[]).map((status) => (
                <ScanStatusMark key={status} status={status} />
              ))}
            </Row>
            <Row>
              <ConnectionMark status="connected" />
              <ConnectionMark status="unavailable" />
              <Tag name="production" />
              <KeyNames keys="Ctrl+k" />
              <KeyNames keys="g f" />
            </Row>
          </Section>
          <Wide>
            <Section title="Buttons">
              <Buttons />
            </Section>
          </Wide>
          <Wide>
            <Section title="Fields">
              <Fields />
            </Section>
          </Wide>
          <Section title="Choices">
            <Choices />
          </Section>
          <Section title="Tabs">
            <Tabs label="Tabs" tabs={[tab('All', 12), tab('Mine', 3), tab('Ended')]} />
          </Section>
          <Wide>
            <Lists />
          </Wide>
          <States />
          <Floating />
          <Wide>
            <Section title="Colours">
              <ul className={classes.colours}>
                {tokens.map((name) => (
                  <li key={name}>
                    <span className={classes.swatch} style={{ background: `var(--${name})` }} />
                    <code>{name}</code>
                  </li>
                ))}
              </ul>
            </Section>
          </Wide>
        </div>
        <Toasts />
      </Page>
    </main>
  );
}
