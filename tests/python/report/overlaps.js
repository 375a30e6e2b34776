// SPDX-License-Identifier: Apache-2.0
// Pairs of different texts of one drawing that lie on each other, and texts that leave the drawing.
(() => {
  const found = [];
  for (const drawing of document.querySelectorAll('figure svg')) {
    if (!drawing.checkVisibility()) continue;
    const frame = drawing.getBoundingClientRect();
    const texts = [...drawing.querySelectorAll('text')]
      .filter((t) => t.textContent.trim() && getComputedStyle(t).stroke === 'none')
      .map((t) => ({text: t.textContent, box: t.getBoundingClientRect()}));
    texts.forEach((a, i) => {
      if (a.box.left < frame.left - 1 || a.box.right > frame.right + 1) found.push(['outside', a.text]);
      texts.slice(i + 1).forEach((b) => {
        const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (across > 1 && down > 3) found.push([a.text, b.text]);
      });
    });
  }
  return found;
})()
