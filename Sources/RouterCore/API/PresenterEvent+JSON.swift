extension PresenterEvent {
  /// The event encoded for a surface's stream.
  package var serverSentBytes: [UInt8] {
    switch self {
    case .present(let presentation, let waiting):
      ServerSentEvent.bytes(name: "present") { writer in
        writer.add("presentation", presentation)
        writer.add("waiting", waiting)
      }
    case .withdraw(let id, let generation, let reason):
      ServerSentEvent.bytes(name: "withdraw") { writer in
        writer.add("id", id.description)
        writer.add("generation", generation)
        writer.add("reason", reason.rawValue)
      }
    case .queue(let waiting):
      ServerSentEvent.bytes(name: "queue") { $0.add("waiting", waiting) }
    case .progress(let id, let fraction, let label):
      ServerSentEvent.bytes(name: "progress") { writer in
        writer.add("id", id.description)
        PresentationProgress(fraction: fraction, label: label).addMembers(to: &writer)
      }
    }
  }

  /// Decodes the output of ``serverSentBytes``; `nil` for an unknown event name, which a newer daemon may send.
  package init?(_ event: ServerSentEvent) throws(JSONError) {
    var reader = try JSONObjectReader(event.data)
    switch event.name {
    case "present":
      self = .present(
        try reader.requiredObject("presentation", Presentation.init(json:at:)), waiting: try reader.count("waiting") ?? 0)
    case "withdraw":
      self = .withdraw(
        try reader.required("id"), generation: try reader.count("generation") ?? 0,
        reason: try reader.required("reason"))
    case "progress":
      self = .progress(
        try reader.required("id"), fraction: try reader.number("fraction")?.double ?? 0, label: try reader.string("label")
      )
    case "queue": self = .queue(waiting: try reader.count("waiting") ?? 0)
    default: return nil
    }
  }
}
