#include "CSetup.h"

// #embed is from C23; clang accepts it in earlier versions with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char routerd_service[] = {
#embed "../../Config/systemd/user/routerd.service"
    , 0};

static const char ssh_agent_service[] = {
#embed "../../Config/systemd/user/router-ssh-agent.service"
    , 0};

static const char page_conf[] = {
#embed "../../Config/systemd/page.conf"
    , 0};

const char *setup_routerd_service(void) { return routerd_service; }

const char *setup_ssh_agent_service(void) { return ssh_agent_service; }

const char *setup_page_conf(void) { return page_conf; }
