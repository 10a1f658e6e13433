// Write 600 observations and 20 summaries with claude-mem's own store, to try `indelible import --from claude-mem` on.
// Run it with bun in a directory that has the package (13.25.3 was tried), without its worker or a model:
//
//     npm pack claude-mem && tar xzf claude-mem-*.tgz
//     bun write_claude_mem.mjs package claude-mem.db
import { resolve } from "node:path";

const [place, path] = process.argv.slice(2);
const { SessionStore } = await import(resolve(place, "plugin/sqlite/SessionStore.js"));
const store = new SessionStore(path);
const WHEN = Date.parse("2026-01-01T00:00:00Z");

for (let session = 0; session < 20; session++) {
  const project = `shop-${session % 3}`;
  const id = store.createSDKSession(`content-${session}`, project, "keep the ports");
  const memory = `memory-${session}`;
  store.updateMemorySessionId(id, memory);
  for (let number = session * 30; number < session * 30 + 30; number++) {
    const observation = {
      type: ["decision", "bugfix", "discovery"][number % 3],
      title: `The service ${number} listens on port ${8000 + number}`,
      subtitle: number % 2 ? "seen in its settings" : null,
      narrative: `It was moved there in step ${number}.`,
      facts: [`port ${8000 + number}`],
      concepts: ["ports"],
      files_read: [`services/${number}.toml`],
      files_modified: [],
    };
    store.storeObservation(memory, project, observation, 1, 0, WHEN + number * 1000);
  }
  const summary = { request: `Move services ${session}`, investigated: "", learned: `Lesson ${session}`, completed: "all", next_steps: "", notes: null };
  store.storeSummary(memory, project, summary, 1, 0, WHEN + session * 60000);
}
store.close();
