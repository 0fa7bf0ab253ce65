import Router
import RouterClient

/// Waits for a prompt's outcome. Meanwhile asks in this terminal if the surface has no presenter, or else reports once what
/// the prompt is waiting for.
struct OutcomeWait: Sendable {
  /// How long to wait before reporting: with a presenter attached, most prompts are shown at once.
  static let silence = Duration.milliseconds(300)

  let client: RouterClient
  let surface: String
  /// The terminal to ask in if the surface has no presenter; `nil` to leave the prompt to other presenters.
  let inline: InlineAttachment?
  let isQuiet: Bool

  func outcome(of handle: PresentationHandle) async throws -> Presentation {
    guard inline != nil || !isQuiet else { return try await handle.resolved() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await attend(handle) }
      defer { group.cancelAll() }
      let presentation = try await handle.resolved()
      await inline?.takenDown()
      return presentation
    }
  }

  private func attend(_ handle: PresentationHandle) async {
    guard let presentation = try? await handle.accepted() else { return }
    let id = presentation.id
    await withTaskGroup { group in
      if let inline, let presenters = await presenters(), !presenters.contains(where: { $0.scope.shows(presentation) }) {
        group.addTask {
          guard await inline.present(id, on: surface, client) else { return }
          StandardStream.error.message(
            "routerctl: end of input. To answer: routerctl present\(option). To cancel: Ctrl-C")
        }
      }
      if !isQuiet {
        group.addTask {
          for await (have, need) in handle.approvals {
            StandardStream.error.message("routerctl: \(have) of \(need) people have approved")
          }
        }
        group.addTask {
          guard (try? await PresentationClock.system.sleep(for: Self.silence)) != nil else { return }
          if let text = await report(on: id) { StandardStream.error.message("routerctl: " + text.escapedForTerminal()) }
        }
      }
    }
  }

  /// The surface's presenters; `nil` if this user may not list them.
  private func presenters() async -> [AttachedPresenter]? {
    guard let surfaces = try? await client.surfaces()["surfaces"]?.array else { return nil }
    let presenters = surfaces.first { $0["name"]?.string == surface }?["presenters"]?.array ?? []
    return presenters.compactMap { try? AttachedPresenter(json: $0, at: "") }
  }

  private var option: String { Self.option(of: surface) }
  private static func option(of surface: String) -> String { surface == "main" ? "" : " --surface \(surface)" }

  private func report(on id: PresentationID) async -> String? {
    guard let presentation = try? await client.presentation(id), presentation.state == .queued else { return nil }
    return Self.report(id, position: presentation.position, on: surface, presenters: await presenters())
  }

  /// Describes what a queued prompt is waiting for. If the presenters are unknown, a prompt at the head of the queue is taken
  /// to have none.
  static func report(_ id: PresentationID, position: Int, on surface: String, presenters: [AttachedPresenter]?) -> String? {
    let isAttended =
      presenters.map { $0.contains { $0.scope.only == nil || $0.scope.only == id } } ?? (position > 0)
    guard isAttended else {
      let option = option(of: surface)
      return "waiting: surface \(surface) has no presenter. To answer: routerctl present\(option)"
    }
    // It is about to be shown.
    guard position > 0 else { return nil }
    return "waiting: \(position) \(position == 1 ? "prompt is" : "prompts are") ahead on \(surface)"
  }
}
