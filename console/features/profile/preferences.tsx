import { savePreferences, usePreferences, type Preferences as Values } from '../../api/preferences.ts';
import { Choice, Switch } from '../../ui/fields.tsx';
import { Section } from '../../ui/page.tsx';
import { showError } from '../../ui/toasts.tsx';
import classes from './profile.module.css';

const save = (change: Partial<Values>) => void savePreferences(change).catch(showError);

export function Preferences() {
  const { theme, density, single_keys } = usePreferences();
  return (
    <Section title="Preferences" lead="They apply wherever you sign in.">
      <div className={classes.row}>
        <span>Colours</span>
        <Choice
          label="Colours"
          value={theme}
          onChange={(value) => save({ theme: value as Values['theme'] })}
          options={[
            { value: 'system', label: 'Same as system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </div>
      <div className={classes.row}>
        <span>List rows</span>
        <Choice
          label="List rows"
          value={density}
          onChange={(value) => save({ density: value as Values['density'] })}
          options={[
            { value: 'comfortable', label: 'Two lines' },
            { value: 'compact', label: 'One line' },
          ]}
        />
      </div>
      <Switch
        label="Single keys"
        description="Keys such as j, k and 1 to 5 act at once. Switch them off when a screen reader or voice control sends keys of its own."
        checked={single_keys}
        onChange={(on) => save({ single_keys: on })}
      />
    </Section>
  );
}
