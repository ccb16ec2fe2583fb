/** The states that a control has only while somebody uses it, by the word for them in `data-shown`. */
const states = { hover: ':hover', focus: ':focus-visible', pressed: ':active' };

function extend(rules: CSSRuleList): void {
  for (const rule of rules) {
    if (rule instanceof CSSStyleRule) {
      const selectors = Object.entries(states).flatMap(([word, state]) =>
        rule.selectorText.includes(state) ? [rule.selectorText.replaceAll(state, `[data-shown="${word}"]`)] : [],
      );
      if (selectors.length > 0) rule.selectorText = [rule.selectorText, ...selectors].join(', ');
    }
    if ('cssRules' in rule) extend(rule.cssRules as CSSRuleList);
  }
}

/** Applies the styles of a state to elements with `data-shown`, so that all states are visible side by side. */
export function showStates(): void {
  for (const sheet of document.styleSheets) extend(sheet.cssRules);
}
