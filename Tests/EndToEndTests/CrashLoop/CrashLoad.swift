import Router
import RouterClient
import RouterTesting
import TestSupport

/// Requesters and presenters that ask, answer, cancel and disconnect until the daemon is gone.
struct CrashLoad {
  let client: RouterClient
  let tally: CrashTally
  let seed: UInt64

  private static let surfaces = ["main", "side"]

  func run() async {
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 { group.addTask { await ask(SplitMix64(seed: seed &+ UInt64(number))) } }
      for (number, surface) in (Self.surfaces + Self.surfaces).enumerated() {
        group.addTask { await present(on: surface, SplitMix64(seed: seed &+ 100 &+ UInt64(number))) }
      }
    }
  }

  /// Asks until the daemon stops replying: detached, attached, and attached but canceled at once.
  private func ask(_ random: SplitMix64) async {
    var random = random
    while true {
      var request = PresentationRequest.alert("\(random.next())")
      request.surface = Self.surfaces[Int(random.next() % 2)]
      if random.next() % 3 == 0 {
        request.act = Act("run", object: "\(random.next() % 4)")
        request.remember = PresentationRequest.Remember()
      }
      do {
        switch random.next() % 10 {
        case 0..<5: await tally.accept(try await client.detach(request).id)
        case 5..<8: await tally.hear(try await client.ask(request))
        default:
          let handle = client.submit(request)
          await tally.accept(try await handle.accepted().id)
          handle.cancel()
          await tally.hear(try await handle.resolved())
        }
      } catch let error as RouterError where error.code == .full {
        continue
      } catch {
        return
      }
    }
  }

  /// Answers prompts until the daemon is gone; sometimes it dismisses one, or reconnects.
  private func present(on surface: String, _ random: SplitMix64) async {
    var random = random
    while true {
      let presenter = TestPresenter(client, on: surface)
      do {
        repeat {
          let shown = try await presenter.nextPresentation()
          do {
            let button = random.next() % 2 == 0 ? "yes" : "no"
            if random.next() % 8 == 0 {
              try await presenter.dismiss(shown)
            } else if let period = shown.offer?.periods.randomElement(using: &random) {
              var extra = AnswerExtra()
              extra.remember = GrantChoice(for: period)
              _ = try await client.answer(shown.id, .button(button), extra, generation: shown.generation)
              await tally.answer(shown.id, button)
              await tally.remember(shown.id)
            } else {
              try await presenter.press(id: button, on: shown)
              await tally.answer(shown.id, button)
            }
          } catch let error as RouterError where error.isAboutTheShowing {
            // The other presenter was first, or the requester canceled.
          }
          if random.next() % 4 == 0, let record = try await client.grants().randomElement(using: &random) {
            do { await tally.revoke(try await client.revoke(record.grant.id).grant.id) } catch let error as RouterError
              where [.resolved, .notFound].contains(error.code)
            {
              // The other presenter was first.
            }
          }
        } while random.next() % 16 != 0
        presenter.disconnect()
      } catch {
        presenter.disconnect()
        return
      }
    }
  }
}

extension RouterError {
  /// Whether the error means that the prompt is no longer shown.
  fileprivate var isAboutTheShowing: Bool {
    switch code {
    case .resolved, .notPresented, .covered, .staleGeneration, .notFound: true
    default: false
    }
  }
}
