import Router
import RouterClient

/// Waits for a prompt's outcome. Without a presenter on the surface, asks in this terminal. Otherwise reports once why the
/// prompt is waiting; Enter then shows it here.
struct OutcomeWait: Sendable {
  /// The delay before reporting: with an attached presenter, most prompts are shown immediately.
  private static let silence = Duration.milliseconds(300)
  /// The time that a prompt may be shown elsewhere before this is reported.
  private static let patience = Duration.seconds(1)

  let client: RouterClient
  let surface: String
  /// The terminal to ask in if the surface has no presenter; `nil` to leave the prompt to other presenters.
  let inline: InlineAttachment?
  let isQuiet: Bool

  func outcome(of handle: PresentationHandle) async throws -> Presentation {
    guard inline != nil || !isQuiet else { return try await handle.resolved() }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        guard let presentation = try? await handle.accepted() else { return }
        await attend(presentation)
      }
      if !isQuiet {
        group.addTask {
          for await (have, need) in handle.approvals { say("\(have) of \(need) people have approved") }
        }
      }
      defer { group.cancelAll() }
      let presentation = try await handle.resolved()
      await inline?.takenDown()
      return presentation
    }
  }

  /// Attends to an open prompt until the task is canceled, or no action is left.
  func attend(_ presentation: Presentation) async {
    let id = presentation.id
    if !isQuiet, let require = presentation.request.require { say("waiting for \(require.people), other than you") }
    var mayAskHere = inline != nil && presentation.request.require == nil
    if let inline, let presenters = await presenters(), !presenters.contains(where: { $0.scope.shows(presentation) }) {
      // Returns only if this terminal may not present the prompt.
      if (try? await inline.present(id, on: surface, client)) == true { return sayEnd() }
      mayAskHere = false
    }
    guard !isQuiet, let text = await report(on: id) else { return }
    guard mayAskHere, let inline else { return say(text) }
    say(text + ". Press Enter to answer here")
    guard await inline.entered() else { return }
    do {
      if try await inline.present(id, on: surface, client) { sayEnd() }
    } catch {
      if let error = error as? RouterError { say("cannot ask here: \(error.message)") }
    }
  }

  private func say(_ text: String) { StandardStream.error.message("routerctl: " + text.escapedForTerminal()) }

  private func sayEnd() { say("end of input. To answer: routerctl present\(Self.option(of: surface)). To cancel: Ctrl-C") }

  /// The surface's presenters; `nil` if this user may not list them.
  private func presenters() async -> [AttachedPresenter]? {
    guard let surfaces = try? await client.surfaces() else { return nil }
    return surfaces.first { $0.name == surface }?.presenters ?? []
  }

  private static func option(of surface: String) -> String { surface == "main" ? "" : " --surface \(surface)" }

  /// Waits until there is something to report about an open prompt; `nil` if there is nothing. Only on a terminal does a person
  /// fail to notice a prompt shown elsewhere.
  private func report(on id: PresentationID) async -> String? {
    for (time, isLate) in [(Self.silence, false), (Self.patience - Self.silence, true)] {
      guard (try? await PresentationClock.system.sleep(for: time)) != nil,
        let presentation = try? await client.presentation(id)
      else { return nil }
      guard presentation.state == .queued || isLate && StandardStream.error.style.isTerminal else { continue }
      let now = PresentationClock.system.wall()
      if let text = Self.report(presentation, presenters: await presenters(), now: now) { return text }
    }
    return nil
  }

  /// Describes why a prompt is waiting. If the presenters are unknown, assumes that a prompt at the head of the queue has none.
  static func report(
    _ presentation: Presentation, presenters: [AttachedPresenter]?, now: Timestamp, zone: LocalTime = .system,
    users: UserNames = .system
  ) -> String? {
    let (surface, position) = (presentation.request.surface, presentation.position)
    func time(_ moment: Timestamp) -> String { zone.minutes(moment, now: now) }
    switch presentation.state {
    case .resolved: return nil
    case .presented:
      let shown = presentation.presentedAt ?? presentation.requestedAt
      let places = (presenters ?? []).filter {
        $0.scope.includes(presentation) && ($0.scope.after.map { shown.advanced(by: $0) <= now } ?? true)
      }.map { "“\($0.name)” of \(users[$0.uid]), there since \(time($0.since))" }
      let more = places.count > 3 ? ["\(places.count - 3) more"] : []
      let elsewhere = places.isEmpty ? "" : ": " + (places.prefix(3) + more).joined(separator: "; ")
      return "waiting: shown on \(surface) since \(time(shown))\(elsewhere)"
    case .queued:
      if let until = presentation.snoozedUntil { return "waiting: snoozed until \(time(until))" }
      let isAttended =
        presenters.map { $0.contains { $0.scope.only == nil || $0.scope.only == presentation.id } } ?? (position > 0)
      guard isAttended else {
        return "waiting: surface \(surface) has no presenter. To answer: routerctl present\(option(of: surface))"
      }
      // The prompt is about to be shown.
      guard position > 0 else { return nil }
      return "waiting: \(position) \(position == 1 ? "prompt is" : "prompts are") ahead on \(surface)"
    }
  }
}
