/// Runs a screen's closure on each answer, until the screen has ended and the closure has returned.
struct ScreenRun<Answer: Sendable, Failure: Error>: Sendable {
  private enum Event: Sendable {
    case answered(PresentationAnswer)
    /// The closure threw without having been canceled.
    case threw
    case ended(Result<Presentation, RouterError>)
  }

  let stack: ScreenStack
  let screen: FlowScreen
  let sheet: PresentationRequest.Typed<Answer>
  let body: @Sendable (Answer, FlowScreen) async throws(Failure) -> Void

  /// Runs the screen to its end. Canceling the task removes the screen, then cancels the closure, and waits for both.
  func result() async -> Result<ScreenEnd<Answer>, Failure> {
    // Ends when the screen has ended and the closure has returned. Not a child task: on cancellation, the broker must be
    // notified first, and the screen's end then ends the task.
    let run = Task { await self.run() }
    return await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      stack.abandon(screen)
    }
  }

  private func run() async -> Result<ScreenEnd<Answer>, Failure> {
    let (events, post) = AsyncStream<Event>.makeStream()
    if (try? await screen.accepted()) != nil, let answer = screen.restored { post.yield(.answered(.value(answer))) }
    // Ends with the presentation.
    Task { await follow(post) }
    var lastAnswer: Answer?
    var work: Task<Failure?, Never>?
    var failure: Failure?
    for await event in events {
      switch event {
      case .answered(let given):
        guard let answer = read(given) else { continue }
        screen.answered(given)
        lastAnswer = answer
        guard failure == nil, stack.has(screen) else { continue }
        work?.cancel()
        failure = await work?.value
        if failure == nil { work = start(with: answer, post) }
      case .threw:
        failure = await work?.value ?? failure
        stack.pop(screen, sparing: false)
      case .ended(let ended):
        stack.remove(screen)
        screen.ended()
        failure = await work?.value ?? failure
        if let failure { return .failure(failure) }
        return .success(ScreenEnd(result: self.result(of: ended, lastAnswer: lastAnswer), lastAnswer: lastAnswer))
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

  /// Starts the closure. The task's value is the closure's error; `nil` if it was canceled.
  private func start(with answer: Answer, _ post: AsyncStream<Event>.Continuation) -> Task<Failure?, Never> {
    let (stack, screen) = (stack, screen)
    let presentation = EnclosingPresentation {
      stack.pop(screen)
      return try await screen.handle.outcome()
    }
    // Ends when the closure returns; `run` awaits it.
    let work = Task { () -> Failure? in
      let error = await withEnvironment(\.enclosingPresentation, presentation) {
        await FlowScreen.$enclosing.withValue(FlowScreen.enclosing + [screen]) { () -> Failure? in
          do throws(Failure) {
            try await body(answer, screen)
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

  private func result(of ended: Result<Presentation, RouterError>, lastAnswer: Answer?) -> Result<Answer, NoAnswer> {
    switch ended {
    case .success(let presentation):
      guard let outcome = presentation.outcome else { return .failure(.failed("cannot learn how \(sheet.what) ended")) }
      // The outcome does not contain sensitive answers.
      return Result(outcome) { (try? sheet.read($0)) ?? lastAnswer }
    case .failure(let error):
      // The parent has ended in the meantime.
      if screen !== stack.root, error.code == .impossible, error.field == "/over" { return .failure(.cancelled(.parentEnded)) }
      stack.fail(error)
      return .failure(.failed(error.message))
    }
  }
}

package struct ScreenEnd<Answer: Sendable>: Sendable {
  package var result: Result<Answer, NoAnswer>
  package var lastAnswer: Answer?
  /// The error that ended the flow, if any.
  var failure: RouterError?
}
