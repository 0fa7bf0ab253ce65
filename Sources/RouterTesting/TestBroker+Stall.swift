import Router

extension TestBroker {
  /// Waits for a period of inactivity while a prompt is open or a presenter waits for one, and describes the open waits.
  ///
  /// - Returns: A sentence; `nil` if the task is canceled.
  func stall(after patience: Duration) async -> String? {
    // Waits in parts, since a stopped process or a busy machine may lose any amount of time in one of them.
    let parts = 10
    var (last, quiet) = (await pulse, 0)
    while (try? await Task.sleep(for: patience / parts)) != nil {
      let next = await pulse
      quiet = next == last ? quiet + 1 : 0
      last = next
      guard quiet >= parts else { continue }
      let waits = await waits
      if !waits.isEmpty { return "nothing happened for \(patience.text): \(waits.joined(separator: "; "))" }
    }
    return nil
  }

  /// A value that changes with all activity.
  private var pulse: [Int64] {
    get async { [Int64(work.activity), (try? await reader.lastSeq()) ?? 0] }
  }

  /// The open presentations, and the presenters that wait for a prompt.
  private var waits: [String] {
    get async {
      let open = (try? await presentations(surface: nil)) ?? []
      let covered = Set(open.compactMap(\.request.over))
      var waits: [String] = []
      for presentation in open where !covered.contains(presentation.id) {
        waits.append(await isAnswered(presentation) ? presentation.answeredText : presentation.openText)
      }
      for presenter in work.presenters where presenter.isWaiting {
        waits.append(
          "the presenter \(presenter.name) waits for \(open.isEmpty ? "a prompt, and nothing is open" : "another prompt")")
      }
      return waits
    }
  }

  /// Whether a flow's sheet is shown only because it was just answered.
  private func isAnswered(_ presentation: Presentation) async -> Bool {
    guard presentation.request.flow, let events = try? await reader.events(of: presentation.id) else { return false }
    let answer = events.last { $0.kind == .answered }
    return answer?.detail["generation"]?.number?.integer == presentation.generation - 1
  }
}

extension Presentation {
  fileprivate var openText: String { "\(designation) is \(state == .queued ? "queued" : "shown and was not answered")" }

  fileprivate var answeredText: String {
    let name = "\(request.over == nil ? "the flow" : "the screen") \(request.sheet ?? request.heading)"
    return "\(name) (\(id)) was answered and is still open; its closure must call finish(_:) or show another screen"
  }
}

extension Duration {
  fileprivate var text: String {
    let seconds = components.seconds
    return self == .seconds(seconds) ? "\(seconds) second\(seconds == 1 ? "" : "s")" : "\(self)"
  }
}
