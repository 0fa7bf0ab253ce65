/// Runs a screen's closure on each answer, until the screen has ended and the closure has returned.
struct ScreenRun<Answer: Sendable, Failure: Error>: Sendable {
  private enum Event: Sendable {
    case answered(PresentationAnswer)
    /// The closure has thrown, and not because it was cancelled.
    case threw
    case ended(Result<Presentation, RouterError>)
  }

  let stack: ScreenStack
  let screen: FlowScreen
  let sheet: TypedRequest<Answer>
  let body: @Sendable (Answer, NavigationScreen) async throws(Failure) -> Void

  /// Cancelling the task takes the screen away, cancels the closure when that is on record, and waits for both.
  func result() async -> Result<ScreenEnd<Answer>, Failure> {
    // Ends when the screen has ended and the closure has returned. Not a child task, because what ends it is the screen's end
    // and not the cancellation, of which the broker is told first.
    let run = Task { await self.run() }
    return await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      stack.abandon(screen)
    }
  }

  private func run() async -> Result<ScreenEnd<Answer>, Failure> {
    let (events, post) = AsyncStream<Event>.makeStream()
    // Ends with the presentation.
    Task { await follow(post) }
    _ = try? await screen.accepted()
    var lastAnswer: Answer?
    var work: Task<Failure?, Never>?
    var failure: Failure?
    for await event in events {
      switch event {
      case .answered(let answer):
        guard let answer = read(answer) else { continue }
        lastAnswer = answer
        guard failure == nil, stack.has(screen) else { continue }
        work?.cancel()
        failure = await work?.value
        if failure == nil { work = start(with: answer, post) }
      case .threw:
        failure = await work?.value ?? failure
        stack.pop(screen, sparing: false)
      case .ended(let result):
        stack.remove(screen)
        screen.ended()
        failure = await work?.value ?? failure
        if let failure { return .failure(failure) }
        return .success(ScreenEnd(outcome: outcome(result, lastAnswer: lastAnswer), lastAnswer: lastAnswer))
      }
    }
    preconditionFailure("the last of a screen's events is its end")
  }

  private func follow(_ post: AsyncStream<Event>.Continuation) async {
    for await answer in screen.handle.answers { post.yield(.answered(answer)) }
    do {
      post.yield(.ended(.success(try await screen.handle.resolved())))
    } catch let error as RouterError {
      post.yield(.ended(.failure(error)))
    } catch {
      post.yield(.ended(.failure(RouterError(.unreachable, "cannot learn how \(sheet.what) ended", cause: error))))
    }
  }

  /// Starts the closure. The task's value is what it threw, unless it was cancelled then: what it throws is no news.
  private func start(with answer: Answer, _ post: AsyncStream<Event>.Continuation) -> Task<Failure?, Never> {
    let (stack, screen) = (stack, screen)
    let presentation = EnclosingPresentation {
      stack.pop(screen)
      return try await screen.handle.outcome()
    }
    // Ends when the closure returns, which `run` waits for.
    let work = Task { () -> Failure? in
      let error = await withEnvironment(\.enclosingPresentation, presentation) {
        await FlowScreen.$enclosing.withValue(FlowScreen.enclosing + [screen]) { () -> Failure? in
          do throws(Failure) {
            try await body(answer, NavigationScreen(screen: screen))
            return nil
          } catch {
            return error
          }
        }
      }
      guard let error, !Task.isCancelled else { return nil }
      post.yield(.threw)
      return error
    }
    screen.started { work.cancel() }
    return work
  }

  private func read(_ answer: PresentationAnswer) -> Answer? {
    do {
      return try sheet.read(answer)
    } catch {
      stack.fail(error as? RouterError ?? RouterError(.invalid, "cannot read the answer to \(sheet.what)", cause: error))
      return nil
    }
  }

  private func outcome(_ result: Result<Presentation, RouterError>, lastAnswer: Answer?) -> ShowOutcome<Answer> {
    switch result {
    case .success(let presentation):
      guard let outcome = presentation.outcome else { return .failed("cannot learn how \(sheet.what) ended") }
      // A sensitive answer is not in the outcome.
      return ShowOutcome(outcome) { (try? sheet.read($0)) ?? lastAnswer }
    case .failure(let error):
      // What it was to be stacked on has ended meanwhile.
      if screen !== stack.root, error.code == .impossible, error.field == "/over" { return .cancelled(.parentEnded) }
      stack.fail(error)
      return .failed(error.message)
    }
  }
}

struct ScreenEnd<Answer: Sendable>: Sendable {
  var outcome: ShowOutcome<Answer>
  var lastAnswer: Answer?
}
