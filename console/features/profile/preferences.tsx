import { useMantineColorScheme } from '@mantine/core';
import { Choice } from '../../ui/fields.tsx';
import { Section } from '../../ui/page.tsx';
import classes from './profile.module.css';

export function Preferences() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section title="Preferences">
      <div className={classes.row}>
        <span>Colours</span>
        <Choice
          label="Colours"
          value={colorScheme}
          onChange={(scheme) => setColorScheme(scheme as 'auto')}
          options={[
            { value: 'auto', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </div>
    </Section>
  );
}
