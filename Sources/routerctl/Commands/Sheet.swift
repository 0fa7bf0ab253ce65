import ArgumentParser
import Router
import RouterCommandLine

struct Sheet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "Show a sheet or a form, and print the answer as JSON.",
    discussion: """
      Define a form with --schema (a flat JSON Schema) or with one --field per field:

        NAME:TYPE[=DEFAULT]    TYPE is string (the default), password, email, uri, date, date-time, number, integer,
                               boolean, or choices separated by |, in brackets to choose several; a ! after TYPE
                               makes the field required

      Passwords are never logged. Without --schema and --field, the answer can be any JSON. With --no-answer
      there is none, and closing the sheet exits with 0.

      EXAMPLES
        routerctl sheet contact --title 'Your address' --field name:string! --field city=Wien
        routerctl sheet login --field "user:string!=$USER" --field 'secret:password!'
        routerctl sheet order --field 'size:S|M|L=M' --field count:integer=1 --field gift:boolean
        routerctl sheet pizza --field 'toppings:[ham|olives|onions]=ham,olives'
        routerctl sheet diff --payload @changes.json --schema @form.json
        routerctl sheet done --title 'Backup finished' --no-answer
      """)

  @Argument(help: "Name of the sheet: letters, digits, '.', '_' and '-'.")
  var name: String

  @Option(help: "Title.")
  var title: String?

  @Option(help: "Text below the title.")
  var message: String?

  @Option(help: ArgumentHelp("Payload for a presenter that knows the sheet.", valueName: "json|@file|-"))
  var payload: JSONArgument?

  @Option(help: ArgumentHelp("Fields, as a JSON Schema.", valueName: "json|@file"))
  var schema: JSONArgument?

  @Option(help: ArgumentHelp("Add a field; repeatable.", valueName: "name:type[=default]"), transform: FieldArgument.init)
  var field: [FieldArgument] = []

  @Flag(help: "Show it without an answer: the person can only close it.")
  var noAnswer = false

  @Flag(help: "Show it as a full-screen cover.")
  var cover = false

  @OptionGroup var options: AskOptions

  func validate() throws {
    guard schema == nil || field.isEmpty else {
      throw ValidationError("--schema cannot be used with --field.")
    }
    guard !noAnswer || schema == nil && field.isEmpty else {
      throw ValidationError("--no-answer cannot be used with --schema or --field.")
    }
    let names = field.map(\.property.name)
    guard Set(names).count == names.count else { throw ValidationError("Two --field options have the same name.") }
  }

  func request() throws -> PresentationRequest {
    var request = options.request(cover ? .fullScreenCover : .sheet)
    request.sheet = name
    request.title = title
    request.message = message?.expandingTabs
    request.hasAnswer = !noAnswer
    request.payload = try payload?.value(for: "--payload")
    if let schema {
      do {
        request.schema = try FormSchema(json: try schema.value(for: "--schema"))
      } catch let error as JSONError {
        throw CommandFailure(.usage, "cannot use --schema: \(error)")
      }
    } else if !field.isEmpty {
      request.schema = FormSchema(properties: field.map(\.property))
    }
    return request
  }

  func run() async throws {
    try await options.ask(try request())
  }
}
