import { useSyncExternalStore } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { KeyNames } from './key-names.tsx';
import classes from './keys.module.css';
import { type Command, commands } from './registry.ts';

function bySection(list: readonly Command[]): [string, Command[]][] {
  const sections = new Map<string, Command[]>();
  for (const command of list) {
    if (!command.keys?.length) continue;
    const section = sections.get(command.section) ?? [];
    section.push(command);
    sections.set(command.section, section);
  }
  return [...sections];
}

/** The keys that work on this page. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  const list = useSyncExternalStore(commands.subscribe, commands.read);
  return (
    <Dialog title="Keys on this page" size="xl" onClose={onClose}>
      <div className={classes.sheet}>
        {bySection(list).map(([section, entries]) => (
          <section key={section}>
            <h3>{section}</h3>
            <dl>
              {entries.map(({ label, keys }) => (
                <div key={label} style={{ display: 'contents' }}>
                  <dt>{label}</dt>
                  <dd>
                    {keys!.map((key) => (
                      <span key={key}>
                        <KeyNames keys={key} />
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>While you write</h3>
          <dl>
            <dt>Submit the text</dt>
            <dd>
              <KeyNames keys="Ctrl+Enter" />
            </dd>
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
