import ArgumentParser
import Router
import RouterCompatibility

struct Player: Codable, Sendable, Hashable {
  var name: String
  var number: Int
  var isCaptain: Bool
}

/// A form for a player, prefilled with a draft.
struct PlayerEditor: Sheet {
  var draft: Player

  var title: String { "Player" }

  var form: Form<Player>? {
    Form(draft) {
      TextField("Name", \.name, length: 1...40)
      NumberField("Number", \.number, in: 1...99)
      Toggle("Captain", \.isCaptain)
    }
  }
}

/// `router-examples player`: a query with an input, asked twice.
struct EditingPlayer: Example {
  static let configuration = CommandConfiguration(commandName: "player", abstract: "Make a player, and change it.")

  @OptionGroup var options: ExampleOptions

  static func play() async throws {
    let editing = Queryable<Player, Player>(sheet: { PlayerEditor(draft: $0) })
    let player = try await editing.query(with: Player(name: "", number: 1, isCaptain: false))
    print("\(player.name) plays with the number \(player.number).")
    let changed = try await editing.query(with: player)
    print(changed == player ? "Nothing was changed." : "\(changed.name) is now \(changed.isCaptain ? "captain" : "a player").")
  }

  static let script: [ScriptedPresenter.Step] = [
    .fill("Player", ["name": "Lily Parr", "number": 11, "isCaptain": false]),
    .fill("Player", ["name": "Lily Parr", "number": 11, "isCaptain": true]),
  ]
}
