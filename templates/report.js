(() => {
'use strict';
const make = (tag, properties) => Object.assign(document.createElement(tag), properties);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// The state of the page: what is asked for, and how the first sortable table is sorted.
const state = new Map();
const table = document.querySelector('table.sort');
const results = document.getElementById('results');
const keys = ['text', 'problem', 'submission', 'group', 'verdict', 'status'];

const column = (of, key) => [...of.tHead.rows[0].cells].findIndex(head => head.dataset.key === key);
const rows = results ? [...results.tBodies[0].rows].map(row => {
  const cells = [...row.cells].map(cell => cell.textContent.trim());
  return {row, cells, text: cells.join(' ').toLowerCase()};
}) : [];
const places = Object.fromEntries(keys.slice(1).map(key => [key, results ? column(results, key) : -1]));
const blocks = all('article[data-verdict]');
const lines = all('tr[data-submission]');
const unexpected = status => status === 'fail' || status === 'error';

function show() {
  const words = (state.get('text') || '').toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = keys.slice(1).filter(key => state.get(key) && (places[key] >= 0));
  let seen = 0;
  for (const {row, cells, text} of rows) {
    const fits = words.every(word => text.includes(word))
      && wanted.every(key => cells[places[key]] === state.get(key))
      && (!state.get('unexpected') || unexpected(cells[places.status]));
    row.hidden = !fits;
    seen += fits;
  }
  for (const block of blocks) {
    const text = block.textContent.toLowerCase();
    block.hidden = !(words.every(word => text.includes(word))
      && wanted.every(key => block.dataset[key] === state.get(key))
      && (!state.get('unexpected') || unexpected(block.dataset.status)));
  }
  const asked = words.length + wanted.length > 0 || Boolean(state.get('unexpected'));
  for (const folded of all('details.more')) folded.open = asked;
  for (const line of lines) {
    line.hidden = Boolean(state.get('submission')) && line.dataset.submission !== state.get('submission');
  }
  const note = document.getElementById('count');
  if (note) {
    note.textContent = seen === rows.length ? `${rows.length} results` : `${seen} of ${rows.length} results`;
    form.querySelector('output').textContent = note.textContent;
  }
}

const number = text => text === '' || text === '–' ? -Infinity : parseFloat(text);
const words = new Intl.Collator('en', {numeric: true});

function sort() {
  if (!table) return;
  const key = state.get('sort');
  const at = key ? column(table, key) : -1;
  for (const head of table.tHead.rows[0].cells) head.removeAttribute('aria-sort');
  const body = table.tBodies[0];
  const order = original.slice();
  if (at >= 0) {
    const head = table.tHead.rows[0].cells[at];
    const down = state.get('down') ? -1 : 1;
    const by = head.classList.contains('num')
      ? (a, b) => number(a) - number(b)
      : (a, b) => words.compare(a, b);
    head.setAttribute('aria-sort', down < 0 ? 'descending' : 'ascending');
    const keyed = order.map(row => [row.cells[at].textContent.trim(), row]);
    keyed.sort((a, b) => down * (by(a[0], b[0]) || 0));
    keyed.forEach(([, row], place) => { order[place] = row; });
  }
  body.append(...order);
}

// The state stands in the fragment as name=value pairs; a fragment without `=` is a place.
function write() {
  const parts = new URLSearchParams([...state].filter(([, value]) => value));
  history.replaceState(null, '', '#' + parts);
}

function read() {
  const fragment = location.hash.slice(1);
  if (!fragment.includes('=')) {
    const target = fragment && document.getElementById(fragment);
    if (!target) return;
    const folded = target.closest('details');
    if (!target.hidden && (!folded || folded.open)) return;
    target.hidden = false;
    if (folded) folded.open = true;
    target.scrollIntoView();
    return;
  }
  state.clear();
  for (const [key, value] of new URLSearchParams(fragment)) state.set(key, value);
  fill();
  show();
  sort();
}

const form = document.getElementById('filter') || make('form');
const original = table ? [...table.tBodies[0].rows] : [];

function fill() {
  for (const field of form.elements) {
    if (!field.name) continue;
    if (field.type === 'checkbox') field.checked = Boolean(state.get(field.name));
    else field.value = state.get(field.name) || '';
  }
}

function build() {
  const label = (text, field) => {
    const around = make('label');
    around.append(text, field);
    form.append(around);
  };
  label('Find', make('input', {type: 'search', name: 'text', size: 14}));
  for (const key of keys.slice(1)) {
    if (places[key] < 0) continue;
    const values = [...new Set(rows.map(row => row.cells[places[key]]))].filter(Boolean);
    if (values.length < 2) continue;
    values.sort(words.compare);
    const select = make('select', {name: key});
    select.append(make('option', {value: '', textContent: 'all'}));
    for (const value of values) select.append(make('option', {value, textContent: value}));
    label(key, select);
  }
  label('', make('input', {type: 'checkbox', name: 'unexpected', value: '1'}));
  form.lastChild.append('unexpected only');
  form.append(make('button', {type: 'reset', textContent: 'Reset'}), make('output'));
  form.addEventListener('input', event => {
    const {name, type, checked, value} = event.target;
    state.set(name, type === 'checkbox' ? (checked ? '1' : '') : value);
    show();
    write();
  });
  form.addEventListener('reset', () => {
    state.clear();
    setTimeout(() => { show(); sort(); write(); });
  });
  form.addEventListener('submit', event => event.preventDefault());
  form.hidden = false;
}

if (results) build();
for (const head of table ? table.tHead.rows[0].cells : []) {
  if (!head.dataset.key) continue;
  const button = make('button', {type: 'button', textContent: head.textContent});
  button.addEventListener('click', () => {
    const again = state.get('sort') === head.dataset.key;
    const down = again ? !state.get('down') : head.classList.contains('num') && head.dataset.key !== 'rank';
    state.set('sort', head.dataset.key);
    state.set('down', down ? '1' : '');
    sort();
    write();
  });
  head.replaceChildren(button);
}
if (navigator.clipboard) {
  for (const command of all('code.command')) {
    const button = make('button', {type: 'button', className: 'copy', textContent: 'copy'});
    button.addEventListener('click', () => navigator.clipboard.writeText(command.textContent)
      .then(() => { button.textContent = 'copied'; }));
    command.after(button);
  }
}
if (results) show();
read();
addEventListener('hashchange', read);
})();
