// Runs behind the page's own script and leaves what it found, as JSON, in an element of its own.
addEventListener('load', () => setTimeout(() => {
  const all = selector => [...document.querySelectorAll(selector)];
  const visible = selector => all(selector).filter(element => !element.hidden && element.getClientRects().length > 0);
  const rows = () => visible('#results tbody tr').map(row => [...row.cells].map(cell => cell.textContent.trim()));
  const found = {
    rows: rows(),
    blocks: visible('article[data-verdict]').map(block => block.id),
    lines: visible('tr[data-submission]').map(line => line.dataset.submission),
    count: (document.getElementById('count') || {}).textContent,
    broken: all('a[href]').map(link => link.getAttribute('href'))
      .filter(link => !link.startsWith('#') || !document.getElementById(link.slice(1))),
    width: document.documentElement.clientWidth,
    needed: document.documentElement.scrollWidth,
    ground: getComputedStyle(document.body).backgroundColor,
    pictures: all('img').map(image => image.complete && image.naturalWidth > 0),
    fields: all('#filter [name]').map(field => [field.name, field.type === 'checkbox' ? field.checked : field.value]),
    unnamed: all('button, input, select').filter(field =>
      !field.textContent.trim() && !(field.labels && field.labels.length && field.labels[0].textContent.trim())).length,
    headings: all('h1, h2, h3, h4').map(heading => Number(heading.tagName[1])),
    asked: {}
  };
  const press = (key, times) => {
    const button = document.querySelector(`th[data-key="${key}"] button`);
    if (!button) return null;
    for (let time = 0; time < times; time += 1) button.click();
    return {fragment: location.hash, sorted: button.parentElement.getAttribute('aria-sort'), first: rows().slice(0, 3),
      column: [...button.parentElement.parentElement.cells].indexOf(button.parentElement)};
  };
  found.asked.slowest = press('ms', 1);
  found.asked.cases = press('case', 2);
  const field = document.querySelector('#filter [name=verdict]');
  if (field) {
    field.value = 'WA';
    field.dispatchEvent(new Event('input', {bubbles: true}));
    found.asked.filtered = {fragment: location.hash, rows: rows().length, count: document.getElementById('count').textContent};
    document.querySelector('#filter [type=reset]').click();
  }
  setTimeout(() => {
    found.asked.reset = {rows: rows().length};
    const out = document.createElement('script');
    out.type = 'application/json';
    out.id = 'probe';
    out.textContent = JSON.stringify(found).replaceAll('<', '\\u003c');
    document.body.append(out);
  }, 50);
}, 50));
