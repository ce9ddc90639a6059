// Takes the focus as soon as it is shown. A dialog that is not open yet gives it on opening, to the element with the mark.

const focus = (element: HTMLElement | null): void => element?.focus();

export const autoFocused = (isWanted: boolean | undefined) =>
  isWanted ? { 'data-autofocus': true, ref: focus } : {};
