import { expect, test } from "vitest";
import { element, escapeXml, xmlDocument } from "./xml.ts";

test("text can't break out of its element or attribute", () => {
  const text = `Ático "B&B" <b>'x'</b> ]]>`;
  const escaped = "Ático &quot;B&amp;B&quot; &lt;b&gt;&apos;x&apos;&lt;/b&gt; ]]&gt;";
  expect(element("title", text).source).toBe(`<title>${escaped}</title>`);
  expect(element("link", [], { href: text }).source).toBe(`<link href="${escaped}"/>`);
});

test("characters that XML forbids are dropped, and others are kept", () => {
  expect(escapeXml("a\u0000b\u000bc\ud800d\udc00e\ufffef")).toBe("abcdef");
  expect(escapeXml("line\nnext\tñ 🏡")).toBe("line\nnext\tñ 🏡");
});

test("XML fragments are inserted unescaped", () => {
  const root = element("a", [element("b", "1 < 2"), element("c")]);
  expect(xmlDocument(root)).toBe(
    '<?xml version="1.0" encoding="UTF-8"?>\n<a><b>1 &lt; 2</b><c/></a>\n',
  );
});
