/** The pages' one script: lists and choices with the keyboard. Everything works without it. */

export const KEYBOARD_SCRIPT = `
'use strict';
const rows = [...document.querySelectorAll('table.list tbody tr')];
let at = -1;
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, textarea')) return;
  const step = { j: 1, k: -1 }[event.key];
  if (step !== undefined && rows.length > 0) {
    rows[at]?.classList.remove('here');
    at = Math.min(rows.length - 1, Math.max(0, at + step));
    rows[at].classList.add('here');
    rows[at].querySelector('a').focus();
    event.preventDefault();
  }
  const named = document.querySelector('[data-key="' + CSS.escape(event.key) + '"]');
  if (named) {
    named.click();
    event.preventDefault();
  }
  if (event.key === 'u') location.href = document.querySelector('header a').href;
});
`;
