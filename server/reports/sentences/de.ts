import { kindsOfChange } from './parts.ts';
import type { Sentences } from './sentences.ts';

const plural = (value: number, one: string, many: string) => (value === 1 ? one : many);

export const de: Sentences = {
  locale: 'de-DE',
  headings: {
    document_control: 'Dokumentenlenkung',
    foreword: 'Vorwort',
    summary: 'Zusammenfassung',
    actions: 'Was zuerst zu tun ist',
    changes: 'Was sich geändert hat',
    coverage: 'Umfang und Abdeckung',
    method: 'Vorgehen',
    limitations: 'Grenzen',
    charts: 'Diagramme',
    owners: 'Offene Befunde nach Verantwortlichen',
    ages: 'Offene Befunde nach Alter',
    due_dates: 'Fristen',
    register: 'Akzeptierte Risiken und Fehlalarme',
    mapping: 'Normen',
    weaknesses: 'Häufigste Schwächen',
    findings: 'Befunde',
    conclusion: 'Schluss',
    appendix: 'Anhang',
    severity_comparison: 'Schweregrad und CVSS',
    tools: 'Werkzeuge',
    glossary: 'Glossar',
  },
  severities: { critical: 'Kritisch', high: 'Hoch', medium: 'Mittel', low: 'Niedrig', info: 'Info' },
  statuses: {
    new: 'Neu',
    triaged: 'Gesichtet',
    in_progress: 'In Arbeit',
    resolved: 'Behoben',
    false_positive: 'Fehlalarm',
    accepted_risk: 'Akzeptiertes Risiko',
  },
  coverageStates: {
    never_scanned: 'Nie geprüft',
    failed: 'Letzte Prüfung fehlgeschlagen',
    stale: 'Veraltet',
    current: 'Aktuell',
  },
  keyFigures: {
    open_critical_high: 'Offen, kritisch und hoch',
    overdue: 'Überfällig',
    unassigned_critical_high: 'Kritisch und hoch, nicht zugewiesen',
    median_days_to_fix: 'Mittlere Zeit bis zur Behebung (Median)',
    new_minus_closed: 'Neu abzüglich geschlossen',
    accepted_ending_soon: 'Akzeptierte Risiken, die in 30 Tagen enden',
  },
  days: (value, { number }) => `${number(value)} ${plural(value, 'Tag', 'Tage')}`,
  unknown: 'unbekannt',
  verdict: {
    nothingScanned: (total, { number }) =>
      total === 0
        ? 'Noch ist keine Aussage möglich: Es gibt keine Datenquellen.'
        : `Noch ist keine Aussage möglich: ${plural(total, 'Die Datenquelle wurde nicht', `Keine der ${number(total)} Datenquellen wurde`)} vollständig geprüft.`,
    noneOpen: 'Kein Befund ist offen.',
    noneSevere: (open, overdue, { number }) => {
      const late =
        overdue > 0 ? `, ${number(overdue)} ${plural(overdue, 'Befund ist', 'Befunde sind')} überfällig` : '';
      return `Kein kritischer oder hoher Befund ist offen; ${number(open)} weniger ${plural(open, 'schwerer ist', 'schwere sind')} es${late}.`;
    },
    severe: ({ critical, high, overdue }, { number, list }) => {
      const one = critical + high === 1;
      const parts = [
        ...(critical > 0 ? [`${number(critical)} ${one ? 'kritischer' : 'kritische'}`] : []),
        ...(high > 0 ? [`${number(high)} ${one ? 'hoher' : 'hohe'}`] : []),
      ];
      const open = `${list(parts)} ${one ? 'Befund ist' : 'Befunde sind'} offen`;
      const late =
        overdue > 0 ? `, ${number(overdue)} ${plural(overdue, 'Befund ist', 'Befunde sind')} überfällig` : '';
      return `${critical > 0 || overdue > 0 ? 'Es besteht Handlungsbedarf: ' : ''}${open}${late}.`;
    },
    trend: (change, since, { number }) =>
      change === 0
        ? `Die Zahl der kritischen und hohen Befunde ist die gleiche wie am ${since}.`
        : `Das ${plural(Math.abs(change), 'ist', 'sind')} ${number(Math.abs(change))} ${change > 0 ? 'mehr' : 'weniger'} als am ${since} (kritisch und hoch).`,
    gaps: (missing, total, { number }) =>
      `${number(missing)} von ${number(total)} ${plural(total, 'Datenquelle', 'Datenquellen')} ${plural(missing, 'hat', 'haben')} keine aktuelle Prüfung.`,
  },
  change: (text) => `${text} seit dem früheren Bericht`,
  noChange: 'unverändert seit dem früheren Bericht',
  noComparison: '',
  actions: {
    upgrade: (name, version) =>
      version === null
        ? `${name} ersetzen oder aktualisieren: keine bereinigte Version bekannt`
        : `${name} auf ${version} aktualisieren`,
    rotateSecret: (name, findings) =>
      findings === 1
        ? `Dieses Geheimnis widerrufen und ersetzen: ${name}`
        : `Diese Geheimnisse widerrufen und ersetzen: ${name}`,
    fix: (name) => `Beheben: ${name}`,
    closes: (findings, dataSources, { number }) =>
      `schließt ${number(findings)} ${plural(findings, 'Befund', 'Befunde')} in ${number(dataSources)} ${plural(dataSources, 'Datenquelle', 'Datenquellen')}`,
    owners: (names, { list }) => `verantwortlich: ${list(names)}`,
    noOwner: 'niemand verantwortlich',
    due: (day) => `fällig am ${day}`,
    overdue: (findings, { number }) => `${number(findings)} überfällig`,
    covered: ({ actions, open, ofOpen, severe, ofSevere }, { number, share }) => {
      const start = `${plural(actions, 'Diese Maßnahme schließt', `Diese ${number(actions)} Maßnahmen schließen`)} ${number(open)} von ${number(ofOpen)} offenen Befunden`;
      return ofSevere === 0
        ? `${start}.`
        : `${start} und ${number(severe)} von ${number(ofSevere)} kritischen und hohen (${share(severe, ofSevere)}).`;
    },
  },
  changes: (counts, since, formats) => {
    const parts = kindsOfChange(counts, formats, {
      new: ['neuer Befund', 'neue Befunde'],
      fixed: ['behoben', 'behoben'],
      reopened: ['wieder geöffnet', 'wieder geöffnet'],
      accepted: ['als Risiko akzeptiert', 'als Risiken akzeptiert'],
    });
    return parts.length === 0
      ? `Seit dem ${since} hat sich nichts geändert.`
      : `Seit dem ${since}: ${formats.list(parts)}.`;
  },
  coverage: ({ current, stale, failed, never_scanned: never }, total, { number, list }) => {
    if (total === 0) return 'Im Umfang dieses Berichts sind keine Datenquellen.';
    const gaps = [
      ...(stale > 0 ? [`${number(stale)} ${plural(stale, 'ist', 'sind')} veraltet`] : []),
      ...(failed > 0 ? [`bei ${number(failed)} schlug die letzte Prüfung fehl`] : []),
      ...(never > 0 ? [`${number(never)} ${plural(never, 'wurde', 'wurden')} nie geprüft`] : []),
    ];
    const start = `${number(current)} von ${number(total)} ${plural(total, 'Datenquelle', 'Datenquellen')} ${plural(current, 'hat', 'haben')} eine aktuelle, vollständige Prüfung`;
    if (gaps.length === 0) return `${start}.`;
    return `${start}; ${list(gaps)}. Wo nicht geprüft wurde, beweist das Fehlen von Befunden nichts.`;
  },
  method:
    'Die Befunde stammen von automatischen Werkzeugen. Ergebnisse wiederholter Prüfungen werden zusammengeführt: Ein Befund behält seine Historie, gilt als behoben, wenn eine vollständige Prüfung ihn nicht mehr findet, und wird wieder geöffnet, wenn er zurückkehrt. Entscheidungen von Menschen bleiben erhalten.',
  limitations:
    'Werkzeuge finden bekannte Muster und bekannte Schwachstellen. Fehler im Entwurf und in der Geschäftslogik entgehen ihnen, und manches, was sie melden, ist keines. Dieser Bericht zeigt, was bei der Aufnahme bekannt war, nur für die gewählten Datenquellen und Filter.',
  dueDates: ({ kept, missed, overdue }, { number, share }) => {
    const fixed = kept + missed;
    const closed =
      fixed === 0
        ? 'Im Zeitraum wurde kein Befund behoben.'
        : `Von ${number(fixed)} im Zeitraum behobenen ${plural(fixed, 'Befund', 'Befunden')} ${plural(kept, 'wurde', 'wurden')} ${number(kept)} fristgerecht behoben (${share(kept, fixed)}).`;
    return `${closed} ${overdue === 0 ? 'Kein offener Befund ist überfällig.' : `${number(overdue)} ${plural(overdue, 'offener Befund ist', 'offene Befunde sind')} überfällig.`}`;
  },
  register: ({ accepted, falsePositives, withoutReason, shown }, { number }) => {
    const all = accepted + falsePositives;
    if (all === 0) return 'Kein Risiko ist akzeptiert, und kein Befund ist als Fehlalarm markiert.';
    const counts = `${number(accepted)} ${plural(accepted, 'Risiko ist', 'Risiken sind')} akzeptiert, ${number(falsePositives)} ${plural(falsePositives, 'Befund ist', 'Befunde sind')} als Fehlalarm markiert.`;
    const reasons =
      withoutReason > 0
        ? ` ${number(withoutReason)} dieser Entscheidungen ${plural(withoutReason, 'hat', 'haben')} keinen Kommentar.`
        : '';
    return `${counts}${reasons}${shown < all ? ` Aufgeführt sind die ${number(shown)} schwersten.` : ''}`;
  },
  unmapped: ({ withoutCwe, open }, { number }) =>
    withoutCwe === 0
      ? 'Jeder offene Befund hat eine CWE.'
      : `${number(withoutCwe)} von ${number(open)} offenen ${plural(open, 'Befund', 'Befunden')} ${plural(withoutCwe, 'hat', 'haben')} keine CWE und ${plural(withoutCwe, 'lässt', 'lassen')} sich nicht zuordnen.`,
  unmappedIn: (standard, unmapped, { number }) =>
    unmapped === 0
      ? `Jeder offene Befund gehört zu einer Kategorie von ${standard}.`
      : `${number(unmapped)} ${plural(unmapped, 'offener Befund gehört', 'offene Befunde gehören')} zu keiner Kategorie von ${standard}.`,
  severityComparison: ({ compared, agree, toolHigher, toolLower }, { number }) =>
    compared === 0
      ? 'Kein offener Befund hat einen CVSS-Wert.'
      : `${number(compared)} ${plural(compared, 'offener Befund hat', 'offene Befunde haben')} einen CVSS-Wert. Der Schweregrad des Werkzeugs und der des Wertes stimmen bei ${number(agree)} überein; das Werkzeug liegt bei ${number(toolHigher)} höher und bei ${number(toolLower)} niedriger. In diesem Bericht gilt der Schweregrad des Werkzeugs; die Priorität verwendet den Wert.`,
  glossary: {
    finding: {
      term: 'Befund',
      text: 'Ein Problem, das ein Werkzeug gemeldet hat, mit seiner Historie. Mehrere Sichtungen desselben Problems sind ein Befund.',
    },
    data_source: {
      term: 'Datenquelle',
      text: 'Was geprüft wird: ein Repository, eine Website, ein Host, ein Container-Image oder hochgeladene Ergebnisse.',
    },
    detection_source: { term: 'Erkennungsquelle', text: 'Ein Werkzeug, das Probleme findet, eingebaut oder extern.' },
    severity: {
      term: 'Schweregrad',
      text: 'Wie ernst ein Problem ist: kritisch, hoch, mittel, niedrig oder Info. Das Werkzeug legt ihn fest.',
    },
    cvss: {
      term: 'CVSS',
      text: 'Common Vulnerability Scoring System: ein Wert von 0 bis 10. Ab 9,0 kritisch, ab 7,0 hoch, ab 4,0 mittel, über 0 niedrig.',
    },
    cwe: { term: 'CWE', text: 'Common Weakness Enumeration: ein Verzeichnis der Arten von Schwächen.' },
    cve: {
      term: 'CVE',
      text: 'Common Vulnerabilities and Exposures: ein Verzeichnis bekannter Schwachstellen von Produkten.',
    },
    priority: {
      term: 'Priorität',
      text: 'Was zuerst zu beheben ist, von 0 bis 100: Schweregrad oder CVSS, Kritikalität und Erreichbarkeit der Datenquelle, Testcode, und ob eine Behebung bekannt ist.',
    },
    due_date: {
      term: 'Frist',
      text: 'Der Tag, bis zu dem ein Befund nach der Richtlinie der Organisation behoben sein muss.',
    },
    accepted_risk: {
      term: 'Akzeptiertes Risiko',
      text: 'Ein Befund, dessen Behebung jemand ausgesetzt hat, oft bis zu einem Tag. Danach ist er wieder offen.',
    },
    false_positive: { term: 'Fehlalarm', text: 'Ein Befund, den jemand nicht als Problem beurteilt hat.' },
    reopened: { term: 'Wieder geöffnet', text: 'Ein Befund, der behoben war und erneut gefunden wurde.' },
    snapshot: {
      term: 'Aufnahme',
      text: 'Die Befunde zu einem Zeitpunkt. Sie ändert sich nie, und jedes Format eines Berichts entsteht aus ihr.',
    },
  },
};
