// SPDX-License-Identifier: Apache-2.0
// Contrast of every visible text against what lies behind it, by the formula of WCAG 2.
(() => {
  const numbers = (colour) => {
    const parts = colour.match(/[\d.]+/g).map(Number);
    return {red: parts[0], green: parts[1], blue: parts[2], alpha: parts.length > 3 ? parts[3] : 1};
  };
  const linear = (value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = (c) =>
    0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const colour = numbers(getComputedStyle(e).backgroundColor);
      if (colour.alpha === 1) return colour;
      if (colour.alpha !== 0) throw new Error('a translucent background needs mixing');
    }
    return numbers(getComputedStyle(document.body).backgroundColor);
  };

  globalThis.contrastOfSwatches = () => {
    const swatches = [...document.querySelectorAll('.swatch')];
    const faint = swatches
      .map((s) => ({name: s.style.background,
                    ratio: ratio(numbers(getComputedStyle(s).backgroundColor),
                                 behind(s.parentElement))}))
      .filter((s) => s.ratio < 3);
    return {swatches: swatches.length, faint};
  };

  const faint = [];
  let texts = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !element.checkVisibility() || element.tagName === 'STYLE') continue;
    const style = getComputedStyle(element);
    const drawn = element.closest('svg') !== null;
    if (drawn && style.stroke !== 'none') continue;  // the rim under a text
    texts += 1;
    const colour = numbers(drawn ? style.fill : style.color);
    const pixels = parseFloat(style.fontSize);
    const large = pixels >= 24 || (pixels >= 18.66 && Number(style.fontWeight) >= 700);
    const found = ratio(colour, behind(element));
    if (found < (large ? 3 : 4.5)) faint.push({text: node.textContent.trim().slice(0, 40), found});
  }
  return {texts, faint};
})()
