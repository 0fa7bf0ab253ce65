import Router

/// What a load consists of.
struct LoadPlan: Sendable, Hashable {
  /// How many ask at once, each its next when it has its answer.
  var requesters: Int
  /// On how many surfaces they ask, in turns.
  var surfaces: Int
  /// How many presentations are measured, and how many go before them.
  var count: Int
  var warmUp: Int
  /// Whether they are asked for detached; then what is measured is how long it takes until they are on record.
  var isDetached = false
  /// Whether there are presenters. Without them everything is taken back at the end.
  var isAnswered = true

  /// What distinguishes this load's surfaces from those that people watch, and from another load's.
  var name: String

  func surface(_ index: Int) -> String { "\(name)-\(index % surfaces + 1)" }

  /// The call that asks, as it goes over the wire.
  func ask(on index: Int) -> [UInt8] {
    let request = PresentationRequest(
      kind: .alert, title: "Deploy 1.4.2 to production?", message: "42 commits since the last release.",
      buttons: [
        PresentationButton(id: "deploy", label: "Deploy", role: .destructive),
        PresentationButton(id: "later", label: "Not now", role: .cancel),
      ], app: "routerctl-bench", surface: surface(index))
    return Self.call("POST", APIPath.presentations, isDetached ? "Prefer: respond-async\r\n" : "", body: request.jsonText)
  }

  /// What is answered, which must be one of the buttons.
  func answer(_ id: PresentationID, generation: Int) -> [UInt8] {
    Self.call("POST", APIPath.answer(id), body: AnswerBody(answer: .button("deploy"), generation: generation).jsonText)
  }

  func attach(to index: Int) -> [UInt8] {
    Self.call("GET", APIPath.stream(surface: surface(index)) + "?name=routerctl-bench", "Accept: text/event-stream\r\n")
  }

  static func takeBack(_ path: String) -> [UInt8] { call("DELETE", path) }

  private static func call(_ method: String, _ path: String, _ headers: String = "", body: JSONText? = nil) -> [UInt8] {
    let bytes = body?.bytes ?? []
    let length = body == nil ? "" : "Content-Length: \(bytes.count)\r\n"
    return Array("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)\(length)\r\n".utf8) + bytes
  }
}
