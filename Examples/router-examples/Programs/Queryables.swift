import ArgumentParser
import Router
import RouterCompatibility

struct PlayerItem: Codable, Sendable, Hashable {
  var name: String
  var number: Int

  static let draft = PlayerItem(name: "", number: 1)
}

/// A form for a player, filled in with a draft.
struct PlayerEditor: Sheet {
  var draft: PlayerItem

  var title: String { "Player" }

  var form: Form<PlayerItem>? {
    Form(draft) {
      TextField("Name", \.name, length: 1...40)
      NumberField("Number", \.number, in: 1...99)
    }
  }
}

/// Creates players, and passes its confirmation on to a view that does not know how it is presented.
struct PlayerListView {
  let buttonConfirmation = Queryable<Void, Bool>(alert: {
    AlertState("Do you really want to do this?") {
      ButtonState("Yes", action: true)
      ButtonState("No", action: false)
    }
  })
  let playerCreation = Queryable<PlayerItem, PlayerItem>(sheet: { PlayerEditor(draft: $0) })

  /// Asks until the person confirms. A player that was not confirmed is the next draft.
  func createPlayer() async throws -> PlayerItem {
    let child = MyChildView(buttonConfirmation: buttonConfirmation)
    var player = PlayerItem.draft
    repeat {
      player = try await playerCreation.query(with: player)
    } while try await !child.confirm()
    return player
  }
}

struct MyChildView {
  let buttonConfirmation: Queryable<Void, Bool>

  func confirm() async throws -> Bool {
    do {
      return try await buttonConfirmation.query()
    } catch NoAnswer.dismissed {
      return false
    }
  }
}

/// `router-examples queryable`: the examples of Queryable's README.
struct Queryables: Example {
  static let configuration = CommandConfiguration(
    commandName: "queryable", abstract: "Create a player and confirm it with two queries.")

  @OptionGroup var options: ExampleOptions

  static func play() async throws {
    let player = try await PlayerListView().createPlayer()
    print("\(player.name) plays with the number \(player.number).")
  }

  private static let player = PlayerItem(name: "Lily Parr", number: 11)

  static let script: [ScriptedPresenter.Step] = [
    .answer(PlayerItem(name: "Lily Parr", number: 10), on: "Player"), .press("No", on: "Do you really want to do this?"),
    .answer(player, on: "Player"), .close("Do you really want to do this?"),
    .answer(player, on: "Player"), .press("Yes", on: "Do you really want to do this?"),
  ]
}
