"use strict";
// Calls the agent of the page by JSON-RPC of A2A 1.0 or 0.3. Every text of the agent becomes a text node.
(() => {
  const form = document.getElementById("try");
  if (!form || !form.dataset.version) return;
  const find = (id) => document.getElementById(id);
  const [turns, message, data, skill, send, cancel, restart, status] =
    ["turns", "message", "data", "skill", "send", "cancel", "restart", "status"].map(find);
  const modern = form.dataset.version === "1.0";
  const METHODS = modern
    ? { send: "SendMessage", stream: "SendStreamingMessage", cancel: "CancelTask" }
    : { send: "message/send", stream: "message/stream", cancel: "tasks/cancel" };
  const WAITING = ["input-required", "auth-required"];
  const ENDED = ["completed", "failed", "canceled", "rejected"];
  // The task that goes on, the conversation, and the request that is under way.
  let taskId = "", contextId = "", running = null, count = 0;

  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const stateOf = (state) => String(state ?? "").replace(/^TASK_STATE_/, "").toLowerCase().replaceAll("_", "-");

  const headers = () => {
    const fields = { "Content-Type": "application/json" };
    if (modern) fields["A2A-Version"] = "1.0";
    for (const input of form.querySelectorAll("[data-header]")) {
      if (input.value) fields[input.dataset.header] = input.dataset.prefix + input.value;
    }
    return fields;
  };
  const request = (method, params) => ({ jsonrpc: "2.0", id: ++count, method, params });
  const post = (body, signal) =>
    fetch(form.dataset.path, { method: "POST", headers: headers(), body: JSON.stringify(body), signal, credentials: "omit" });

  const partNode = (part) => {
    if (typeof part.text === "string") return element("p", "prose", part.text);
    if (part.data !== undefined) return element("pre", "", JSON.stringify(part.data, null, 2));
    const file = part.file ?? part;
    const name = file.filename ?? file.name ?? "file";
    const type = file.mediaType ?? file.mimeType ?? "application/octet-stream";
    const bytes = file.raw ?? file.bytes;
    const url = file.url ?? file.uri;
    const line = element("p", "");
    if (typeof bytes === "string") {
      const link = element("a", "", name);
      const content = Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0));
      // Saved, never opened: its type is that of the agent.
      link.href = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
      link.download = name;
      line.append(link, ` ${type}, ${content.length.toLocaleString("en")} bytes`);
    } else if (typeof url === "string") {
      line.append(`${name}, ${type}: ${url}`);
    } else {
      line.append(JSON.stringify(part));
    }
    return line;
  };

  // One message and what comes back for it.
  class Turn {
    constructor(text, body) {
      this.events = [];
      this.artifacts = new Map();
      this.box = element("div", "box");
      this.state = element("span", "plain", "sent");
      const head = element("p", "by");
      head.append(this.state);
      this.reply = element("div", "parts");
      this.results = element("div", "artifacts");
      this.response = element("pre", "");
      this.box.append(head, this.reply, this.results, this.folded("Request", element("pre", "", JSON.stringify(body, null, 2))),
        this.folded("Response", this.response));
      const item = element("li", "turn");
      item.append(element("p", "box mine", text), this.box);
      turns.append(item);
      item.scrollIntoView({ block: "nearest" });
    }
    folded(label, node) {
      const details = element("details");
      details.append(element("summary", "", label), node);
      return details;
    }
    raw(value) {
      this.events.push(value);
      this.response.textContent = this.events.map((one) => JSON.stringify(one, null, 2)).join("\n");
    }
    show(state) {
      this.state.textContent = state;
      this.state.className = state === "failed" || state === "rejected" ? "bad" : state === "completed" ? "good" : "plain";
    }
    message(value) {
      for (const part of value?.parts ?? []) this.reply.append(partNode(part));
    }
    artifact(value, append) {
      if (!value) return;
      const id = String(value.artifactId ?? "");
      const known = this.artifacts.get(id);
      const entry = known ?? { box: element("div", "artifact"), parts: [] };
      if (!known) {
        if (value.name) entry.box.append(element("p", "label", value.name));
        entry.content = element("div", "parts");
        entry.box.append(entry.content);
        this.artifacts.set(id, entry);
        this.results.append(entry.box);
      }
      if (!append) {
        entry.content.replaceChildren();
        entry.parts = [];
      }
      for (const [index, part] of (value.parts ?? []).entries()) {
        const last = entry.content.lastElementChild;
        // A text that comes in pieces is one text.
        if (append && index === 0 && typeof part.text === "string" && typeof entry.parts.at(-1)?.text === "string") {
          last.textContent += part.text;
        } else {
          entry.content.append(partNode(part));
        }
        entry.parts.push(part);
      }
    }
    result(value) {
      const kind = value?.kind;
      const task = value?.task ?? (kind === "task" ? value : undefined);
      const said = value?.message && !kind ? value.message : kind === "message" ? value : undefined;
      const update = value?.statusUpdate ?? (kind === "status-update" ? value : undefined);
      const artifact = value?.artifactUpdate ?? (kind === "artifact-update" ? value : undefined);
      if (task) {
        this.task(task.id, task.contextId, task.status);
        for (const one of task.artifacts ?? []) this.artifact(one, false);
      } else if (update) {
        this.task(update.taskId, update.contextId, update.status);
      } else if (artifact) {
        this.task(artifact.taskId, artifact.contextId);
        this.artifact(artifact.artifact, Boolean(artifact.append));
      } else if (said) {
        contextId = said.contextId || contextId;
        this.message(said);
        this.show("completed");
      }
    }
    task(id, context, reported) {
      taskId = id || taskId;
      contextId = context || contextId;
      if (!reported) return;
      const state = stateOf(reported.state);
      if (state) this.show(state);
      this.message(reported.message);
      if (ENDED.includes(state)) taskId = "";
      cancel.hidden = !(taskId || running);
    }
    problem(text) {
      this.show("failed");
      this.reply.append(element("p", "bad", text));
    }
  }

  const received = (turn, answer) => {
    turn.raw(answer);
    if (answer?.error) {
      turn.problem(answer.error.message ?? JSON.stringify(answer.error));
      return;
    }
    turn.result(answer?.result);
  };
  const problemOf = (answer, code) => {
    if (code === 401 || code === 403) form.querySelector("[data-header]")?.focus();
    return answer?.error?.message ?? answer?.message ?? answer?.detail ?? answer?.title ?? `status ${code}`;
  };
  const events = async (turn, response) => {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      rest = (rest + (value ?? "")).replaceAll("\r\n", "\n");
      const blocks = rest.split("\n\n");
      rest = done ? "" : blocks.pop();
      for (const block of blocks) {
        const text = block.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart()).join("\n");
        if (text) received(turn, JSON.parse(text));
      }
      if (done) return;
    }
  };

  const busy = (on) => {
    send.disabled = on;
    status.textContent = on ? "waiting for the agent" : "";
    cancel.hidden = !(on || taskId);
    restart.hidden = on || !contextId;
  };

  const submit = async () => {
    const parts = [];
    const text = message.value.trim();
    if (text) parts.push(modern ? { text } : { kind: "text", text });
    if (data.value.trim()) {
      let value;
      try {
        value = JSON.parse(data.value);
      } catch (error) {
        status.textContent = `The data is not JSON: ${error.message}`;
        data.focus();
        return;
      }
      parts.push(modern ? { data: value } : { kind: "data", data: value });
    }
    if (!parts.length) {
      status.textContent = "Write a message first.";
      message.focus();
      return;
    }
    const sent = { messageId: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`, role: modern ? "ROLE_USER" : "user", parts };
    if (!modern) sent.kind = "message";
    if (skill?.value) sent.metadata = { skill: skill.value };
    if (taskId) sent.taskId = taskId;
    if (contextId) sent.contextId = contextId;
    const streams = form.dataset.streams === "yes";
    const body = request(streams ? METHODS.stream : METHODS.send, { message: sent });
    const turn = new Turn(text || data.value.trim(), body);
    running = new AbortController();
    busy(true);
    try {
      const response = await post(body, running.signal);
      const type = response.headers.get("content-type") ?? "";
      if (response.ok && type.startsWith("text/event-stream")) {
        await events(turn, response);
      } else {
        const answer = await response.json();
        if (response.ok) received(turn, answer);
        else {
          turn.raw(answer);
          turn.problem(problemOf(answer, response.status));
        }
      }
      message.value = data.value = "";
    } catch (error) {
      if (error.name === "AbortError") turn.show("canceled");
      else turn.problem(`The gateway did not answer: ${error.message}`);
    }
    running = null;
    busy(false);
    if (WAITING.includes(turn.state.textContent)) {
      status.textContent = "The agent asks for an answer.";
      message.focus();
    }
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!running) submit();
  });
  message.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  cancel.addEventListener("click", async () => {
    if (!taskId) {
      running?.abort();
      return;
    }
    status.textContent = "cancelling";
    try {
      const answer = await (await post(request(METHODS.cancel, { id: taskId }))).json();
      if (answer.error) status.textContent = `Not cancelled: ${answer.error.message}`;
      else {
        status.textContent = "cancelled";
        taskId = "";
        running?.abort();
      }
    } catch (error) {
      status.textContent = `Not cancelled: ${error.message}`;
    }
    cancel.hidden = !(running || taskId);
  });
  restart.addEventListener("click", () => {
    taskId = contextId = "";
    turns.replaceChildren();
    busy(false);
    message.focus();
  });
  for (const item of document.querySelectorAll("#examples > li")) {
    const button = element("button", "example", item.textContent);
    button.type = "button";
    button.addEventListener("click", () => {
      message.value = button.textContent;
      message.focus();
    });
    item.replaceChildren(button);
  }
})();
