// Indelible for OpenCode: reports what happens, and tells the agent what is remembered.
// Written by `indelible setup opencode --hooks`, removed by `indelible unsetup opencode`; changes of yours are kept.
import { spawn } from "node:child_process"

const COMMAND = ["COMMAND"]
const PATIENCE = 10_000 // milliseconds: nothing that fails or hangs here may hold up the agent

// What `indelible hook` answers to an event, "" for nothing. It never throws.
function tell(event, payload) {
  return new Promise((resolve) => {
    let answer = ""
    const timer = setTimeout(() => resolve(""), PATIENCE)
    const done = () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(answer).hookSpecificOutput?.additionalContext ?? "")
      } catch {
        resolve("")
      }
    }
    try {
      const [program, ...words] = COMMAND
      const child = spawn(program, words, { stdio: ["pipe", "pipe", "ignore"], detached: true })
      child.on("error", done)
      child.on("close", done)
      child.stdin.on("error", () => {})
      child.stdout.on("data", (part) => (answer += part))
      child.stdin.end(JSON.stringify({ hook_event_name: event, ...payload }))
      child.unref()
    } catch {
      done()
    }
  })
}

export const Indelible = async ({ directory }) => {
  const briefs = new Map() // of sessions
  const reminders = new Map() // for the last prompt of a session
  const about = (session) => ({ session_id: session, cwd: directory })

  return {
    "chat.message": async (input, output) => {
      const session = output.message?.sessionID ?? input.sessionID
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      if (!briefs.has(session)) briefs.set(session, await tell("SessionStart", { ...about(session), source: "startup" }))
      const id = output.message?.id ?? input.messageID
      reminders.set(session, await tell("UserPromptSubmit", { ...about(session), prompt: texts.join("\n"), prompt_id: id }))
    },
    "experimental.chat.system.transform": async (input, output) => {
      for (const text of [briefs.get(input.sessionID), reminders.get(input.sessionID)]) if (text) output.system.push(text)
    },
    "tool.execute.after": async (input, output) => {
      const text = await tell("PostToolUse", {
        ...about(input.sessionID),
        tool_name: input.tool,
        tool_input: input.args,
        tool_use_id: input.callID,
        tool_response: { output: output.output, exit: output.metadata?.exit },
      })
      if (text && typeof output.output === "string") output.output += `\n\n${text}`
    },
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.idle") await tell("Stop", about(session))
      if (event.type === "session.compacted") await tell("PreCompact", { ...about(session), trigger: "" })
      if (event.type === "session.deleted") {
        briefs.delete(session)
        reminders.delete(session)
        await tell("SessionEnd", { ...about(session), reason: "deleted" })
      }
    },
  }
}
