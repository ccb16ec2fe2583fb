/** An action as a sentence begins: `token.created` becomes "Token created:". */
export function actionWords(action: string): string {
  const text = action.replaceAll('.', ' ').replaceAll('_', ' ');
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}
