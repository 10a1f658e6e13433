// The picture of a neighbourhood. The list below it says the same; labels are drawn as text and never become HTML.
(() => {
  "use strict";
  const canvas = document.querySelector("[data-graph]");
  if (!canvas) return;
  const says = document.querySelector("[data-graph-says]");
  const pen = canvas.getContext("2d");
  const LABELLED = 30; // nodes, up to which each has its label
  const LONGEST = 32; // characters of a label
  let nodes = [], links = [], over = null, colours = {}, view = { scale: 1, x: 0, y: 0 };

  function readColours() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    colours = { ground: of("--ground"), line: of("--line"), text: of("--text"), soft: of("--soft"), accent: of("--accent") };
    for (let number = 1; number <= 8; number++) colours[number] = of(`--p${number}`);
  }

  const cut = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
  const radius = (node) => (node.depth === 0 ? 9 : node.depth === 1 ? 6 : 4);

  function fit(width, height) {
    const xs = nodes.map((node) => node.x), ys = nodes.map((node) => node.y);
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scale = Math.min(2, (width - 96) / Math.max(1, right - left), (height - 56) / Math.max(1, bottom - top));
    view = { scale, x: width / 2 - (scale * (left + right)) / 2, y: height / 2 - (scale * (top + bottom)) / 2 };
  }
  const at = (node) => [view.x + view.scale * node.x, view.y + view.scale * node.y];

  function write(text, x, y, width, colour) {
    const half = pen.measureText(text).width / 2;
    x = Math.min(width - half - 2, Math.max(half + 2, x));
    pen.lineWidth = 3; pen.strokeStyle = colours.ground; pen.strokeText(text, x, y);
    pen.fillStyle = colour; pen.fillText(text, x, y);
  }

  function point(link) { // an arrowhead at the edge of the target, as the list has its arrow
    const [x, y] = at(link.source), [X, Y] = at(link.target), length = Math.hypot(X - x, Y - y);
    if (length < 24) return;
    const [dx, dy] = [(X - x) / length, (Y - y) / length], end = radius(link.target) + 2;
    const [tipX, tipY] = [X - end * dx, Y - end * dy];
    pen.fillStyle = pen.strokeStyle;
    pen.beginPath(); pen.moveTo(tipX, tipY);
    pen.lineTo(tipX - 7 * dx - 3 * dy, tipY - 7 * dy + 3 * dx); pen.lineTo(tipX - 7 * dx + 3 * dy, tipY - 7 * dy - 3 * dx);
    pen.fill();
  }

  function draw() {
    const { width, height } = canvas.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    if (!nodes.length) return;
    fit(width, height);
    pen.font = "12px system-ui, sans-serif"; pen.textAlign = "center"; pen.textBaseline = "middle"; pen.lineJoin = "round";
    const near = (link) => over && (link.source === over || link.target === over);
    for (const link of links) {
      pen.lineWidth = near(link) ? 2 : 1;
      pen.strokeStyle = near(link) ? colours.accent : colours.line;
      pen.beginPath(); pen.moveTo(...at(link.source)); pen.lineTo(...at(link.target)); pen.stroke();
      point(link);
    }
    for (const node of nodes) {
      const [x, y] = at(node);
      pen.beginPath(); pen.arc(x, y, radius(node), 0, 2 * Math.PI);
      pen.fillStyle = colours[node.colour]; pen.fill();
      if (node.depth === 0 || node === over) { pen.lineWidth = 2; pen.strokeStyle = colours.text; pen.stroke(); }
    }
    const named = links.filter((link) => (over ? near(link) : links.length <= LABELLED)).slice(0, LABELLED);
    for (const link of named) {
      const [x, y] = at(link.source), [X, Y] = at(link.target);
      write(link.relation, (x + X) / 2, (y + Y) / 2, width, colours.soft);
    }
    const direct = nodes.filter((node) => node.depth === 1).length;
    for (const node of nodes) {
      const beside = over && links.some((link) => near(link) && (link.source === node || link.target === node));
      const shown = nodes.length <= LABELLED || node.depth === 0 || (node.depth === 1 && direct <= LABELLED / 2);
      if (!shown && node !== over && !beside) continue;
      const [x, y] = at(node);
      write(cut(node.label), x, y + radius(node) + 10, width, colours.text);
    }
  }

  function found(event) {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best = null, least = 14 * 14; // a target of 28 px
    for (const node of nodes) {
      const [X, Y] = at(node), distance = (x - X) ** 2 + (y - Y) ** 2;
      if (distance < least) [best, least] = [node, distance];
    }
    return best;
  }

  function say() {
    says.textContent = over ? `${over.label} (${over.kind}, ${over.project})` : "Click a record to see what is around it.";
  }

  canvas.addEventListener("pointermove", (event) => {
    const node = found(event);
    if (node === over) return;
    over = node;
    canvas.classList.toggle("over", Boolean(over));
    say(); draw();
  });
  canvas.addEventListener("pointerleave", () => { over = null; say(); draw(); });
  canvas.addEventListener("click", (event) => {
    const node = found(event);
    if (!node) return;
    const where = new URLSearchParams({ id: node.id });
    if (node.depth === 0) { location.href = `/record?${where}`; return; }
    if (canvas.dataset.relation) where.set("relation", canvas.dataset.relation);
    location.href = `/graph?${where}`;
  });

  const recolour = () => { readColours(); draw(); };
  new MutationObserver(recolour).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  new ResizeObserver(draw).observe(canvas);

  async function load() {
    const answer = await fetch(canvas.dataset.graph, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(String(answer.status));
    ({ nodes, links } = await answer.json());
    readColours();
    const simulation = d3.forceSimulation(nodes)
      .force("link", d3.forceLink(links).distance(60).strength(0.4))
      .force("charge", d3.forceManyBody().strength(-140).distanceMax(400))
      .force("x", d3.forceX().strength(0.06)).force("y", d3.forceY().strength(0.09))
      .force("apart", d3.forceCollide(14));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) { simulation.stop().tick(300); draw(); }
    else simulation.on("tick", draw);
    say();
  }
  load().catch(() => { says.textContent = "The picture could not be loaded; the list below has the same. Reload to try again."; });
})();
