import Router
import RouterCompatibility
import RouterTesting
import Testing

private struct PlayerItem: Codable, Sendable, Hashable {
  var name: String

  static let draft = PlayerItem(name: "")
}

/// The app that the page's examples call.
private actor App {
  private(set) var commits: [Bool] = []
  private(set) var retries = 0

  func commit(_ isConfirmed: Bool) { commits.append(isConfirmed) }
  func retry() { retries += 1 }
}

private struct Panel: Sendable {
  func ask(_ question: String) async -> Bool { question == "Delete notes?" }
}

private actor Settings {
  var rememberedConfirmation: Bool? { true }
}

private let panel = Panel()

private let buttonConfirmation = Queryable<Void, Bool>(alert: {
  AlertState("Really?") {
    ButtonState("Yes", action: true)
    ButtonState("No", action: false)
  }
})

private struct PlayerEditor: Sheet {
  typealias Answer = PlayerItem
  var draft: PlayerItem
}

private let playerCreation = Queryable<PlayerItem, PlayerItem>(sheet: { PlayerEditor(draft: $0) })

private let deletion = Queryable<String, Bool> { itemName, query in
  query.answer(with: await panel.ask("Delete \(itemName)?"))
}

private struct Screen {
  let app = App()

  func confirm() async {
    do {
      let isConfirmed = try await buttonConfirmation.query()
      await app.commit(isConfirmed)
    } catch {
      // No answer; the error says why.
    }
  }

  func confirmOrSayWhy() async throws {
    do {
      await app.commit(try await buttonConfirmation.query())
    } catch NoAnswer.dismissed {
      // A person closed it, or cancelQuery().
    } catch NoAnswer.cancelled(.requester) {
      // cancel(), or the task was canceled.
    } catch NoAnswer.cancelled(.busy), NoAnswer.cancelled(.superseded) {
      // The conflict policy.
    } catch is NoAnswer {
      await app.retry()
    }
  }
}

/// Serialized, because the tests share the page's global queryables.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ComingFromQueryablePageTests {
  private let screen = Screen()

  @Test func `returns a person's answers and throws without one`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [.press("Yes"), .dismiss, .press("No"), .dismiss, .fail("no screen")])
      await screen.confirm()
      await screen.confirm()
      for _ in 1...3 { try await screen.confirmOrSayWhy() }
      #expect(await screen.app.commits == [true, false])
    }
  }

  @Test func `fills the sheet from the query's input`() async throws {
    try await withTestRouter { router in
      let presenter = router.presenter(script: [.answer(["name": "Ada"])])
      let createdPlayer = try await playerCreation.query(with: PlayerItem.draft)
      #expect(createdPlayer.name == "Ada")
      #expect(presenter.shown.first?.request.payload == ["draft": ["name": ""]])
    }
  }

  @Test func `presents with a closure in this process`() async throws {
    #expect(try await deletion.query(with: "notes"))
    #expect(try await !deletion.query(with: "thesis"))
  }

  @Test func `takes a conflict policy per query`() async throws {
    try await withTestRouter { router in
      _ = router.presenter(script: [.press("Yes")])
      let isConfirmed = try await buttonConfirmation.query(conflictPolicy: .cancelNew)
      #expect(isConfirmed)
    }
  }

  @Test func `lets the program answer its own query`() async throws {
    let settings = Settings()
    try await withTestRouter { router async throws in
      let answering = Task {
        for await observation in buttonConfirmation.queries {
          if let isConfirmed = await settings.rememberedConfirmation { observation.resolver.answer(with: isConfirmed) }
        }
      }
      #expect(try await buttonConfirmation.query())
      answering.cancel()
      await answering.value
      #expect(try await router.reader.presentationPage(AuditQuery()).page.first?.outcome == .cancelled(.requester))
    }
  }
}
