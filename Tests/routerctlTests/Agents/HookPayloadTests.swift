import Foundation
import OrderedCollections
import Router
import Testing

@testable import RouterCommandLine
@testable import RouterFrontEnds

/// Events of each agent, in Payloads, and the hook's answers in that agent's form. SOURCE.md says where they come from.
/// Promise P42.
struct HookPayloadTests {
  struct Payload: CustomTestStringConvertible {
    let host: String
    let name: String
    let json: JSONValue

    var testDescription: String { "\(host)/\(name)" }
    var event: JSONValue { json["payload"] ?? [:] }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Payloads").standardized
    .path

  static let payloads: [Payload] = AgentHost.all.flatMap { host in
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(host.id)")) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().compactMap { name -> Payload? in
      guard let text = try? String(contentsOfFile: "\(folder)/\(host.id)/\(name)", encoding: .utf8),
        let json = try? JSONValue(parsing: text)
      else { return nil }
      return Payload(host: host.id, name: name, json: json)
    }
  }

  private func host(_ payload: Payload) throws -> AgentHost { try #require(AgentHost(argument: payload.host)) }

  @Test func `has payloads of every agent, with their source`() throws {
    for host in AgentHost.all {
      #expect(Self.payloads.contains { $0.host == host.id && $0.json["call"] != nil }, "\(host.id)")
      #expect(FileManager.default.fileExists(atPath: "\(Self.folder)/\(host.id)/SOURCE.md"), "\(host.id)")
    }
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder).filter { $0.hasSuffix(".json") }
    #expect(files.count == Self.payloads.count)
    // An unknown form of an event does not leave the call to the rules of the agent that the hook was installed for.
    #expect(AgentHost.sender(of: ["hook_event_name": "PreToolUse"], installed: .codex)?.id == "codex")
    #expect(AgentHost.sender(of: ["hook_event_name": "PreToolUse"], installed: nil) == nil)
  }

  @Test(arguments: payloads) func `recognizes the sender by the event's members`(payload: Payload) throws {
    let host = try host(payload)
    #expect(AgentHost.sender(of: payload.event, installed: host)?.id == payload.host)
    // Qwen Code's events look like Claude Code's. An end of a session fits several agents.
    guard payload.host != "qwen", payload.json["call"] != nil else { return }
    #expect(AgentHost.sender(of: payload.event, installed: nil)?.id == payload.host)
    for other in AgentHost.all where !["qwen", "codex", payload.host].contains(other.id) {
      #expect(AgentHost.sender(of: payload.event, installed: other) == nil, "taken for \(other.id)")
    }
  }

  @Test(arguments: payloads) func `reads the call in Claude Code's names`(payload: Payload) throws {
    let event = try #require(try HookEvent(payload.event, of: host(payload)))
    #expect(event.name.rawValue == payload.json["event"]?.string)
    guard let call = payload.json["call"] else { return }
    let read: JSONValue = .present([
      ("tool", .string(event.call.tool)), ("input", event.call.input),
      ("directory", event.call.directory.map(JSONValue.string)),
      ("session", event.call.session.map(JSONValue.string)), ("id", event.call.id.map(JSONValue.string)),
    ])
    #expect(read == call, "\(read)")
    #expect(!event.isReading)
  }

  @Test(arguments: payloads) func `answers in the sender's form`(payload: Payload) throws {
    let host = try host(payload)
    let event = try #require(try HookEvent(payload.event, of: host))
    func output(_ decision: ToolDecision) -> JSONValue? { host.output(decision, for: event.name, event.hostsName) }
    #expect(output(.allow(updatedInput: nil)) == payload.json["allow"])
    #expect(output(.deny("why")) == payload.json["deny"])
    #expect(output(.unavailable("no daemon")) == payload.json["undecided"])
    // Without an output, Cursor blocks the call.
    #expect((output(.unavailable("off", isOff: true)) == nil) == (host.id != "cursor" || !event.name.asks))
    if host.clock.lateness != .asks, event.name.asks {
      #expect(output(.expired) != nil, "the host would not ask by itself")
    }
  }

  @Test func `does not ask about tools that only read`() throws {
    for host in AgentHost.all {
      for tool in host.readingTools {
        let event = try #require(try HookEvent(Self.event(before: tool, of: host), of: host))
        #expect(event.decider(asksInAutoMode: true) == .host, "\(host.id): \(tool)")
      }
      let other = try #require(try HookEvent(Self.event(before: "deploy", of: host), of: host))
      #expect(other.decider(asksInAutoMode: true) == .person, "\(host.id)")
    }
  }

  /// An event before a tool runs `ls`, with the members of every host.
  private static func event(before tool: String, of host: AgentHost) -> JSONValue {
    [
      host.nameMember: .string(host.events.first { $0.value == .preToolUse }!.key), "tool_name": .string(tool),
      "tool_input": ["command": "ls"], "preToolUse": ["toolName": .string(tool), "parameters": ["command": "ls"]],
    ]
  }

  @Test func `takes no unknown tool for one of Claude Code's`() throws {
    for host in AgentHost.all {
      guard let tools = host.tools else { continue }
      for tool in ["Bash", "Write", "Edit", "apply_patch", "AskUserQuestion", "ExitPlanMode"] where tools[tool] == nil {
        let call = try #require(try HookEvent(Self.event(before: tool, of: host), of: host)).call
        #expect(call.tool == "mcp__\(host.id)__\(tool)")
        #expect(call.act(nil) == nil && !call.isForPerson)
      }
    }
  }

  @Test func `does not take a tool's own name for that of a server`() throws {
    let json: JSONValue = [
      "hook_event_name": "beforeMCPExecution", "conversation_id": "c", "tool_name": "mcp__github__merge_pull_request",
      "tool_input": "{}", "url": "https://evil.example/mcp",
    ]
    let call = try #require(try HookEvent(json, of: .cursor)).call
    #expect(call.tool == "mcp__cursor__mcp__github__merge_pull_request" && call.input["server"] == "https://evil.example/mcp")
  }

  @Test func `answers a second before a host that would decide by itself`() {
    for host in AgentHost.all {
      let unset = HookLimit(host.clock, timeout: nil, limit: nil)
      #expect(unset.timeout < host.clock.standard)
      #expect(unset.end == (host.clock.lateness == .asks ? nil : host.clock.standard - .seconds(1)))
      let installed = HookLimit(host.clock, timeout: .seconds(110), limit: .seconds(3590))
      #expect(installed.timeout == .seconds(110))
      #expect(installed.end == (host.clock.lateness == .asks ? nil : .seconds(3599)))
    }
  }
}
