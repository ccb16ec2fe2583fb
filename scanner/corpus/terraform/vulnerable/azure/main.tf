resource "azurerm_resource_group" "main" {
  name     = "main"
  location = "westeurope"
}
resource "azurerm_storage_account" "files" {
  name                            = "acmefiles"
  resource_group_name             = azurerm_resource_group.main.name
  location                        = "westeurope"
  account_tier                    = "Standard"
  account_replication_type        = "LRS"
  https_traffic_only_enabled      = false
  min_tls_version                 = "TLS1_0"
  allow_nested_items_to_be_public = true
}
resource "azurerm_storage_account_network_rules" "files" {
  storage_account_id = azurerm_storage_account.files.id
  default_action     = "Allow"
}
resource "azurerm_storage_container" "public" {
  name                  = "public"
  storage_account_name  = azurerm_storage_account.files.name
  container_access_type = "blob"
}
resource "azurerm_managed_disk" "data" {
  name                 = "data"
  location             = "westeurope"
  resource_group_name  = "main"
  storage_account_type = "Standard_LRS"
  create_option        = "Empty"
  disk_size_gb         = 1
  encryption_settings {
    enabled = false
  }
}
resource "azurerm_kubernetes_cluster" "main" {
  name                = "main"
  location            = "westeurope"
  resource_group_name = "main"
  dns_prefix          = "main"
  default_node_pool {
    name    = "default"
    vm_size = "Standard_D2_v2"
  }
  role_based_access_control_enabled = false
}
resource "azurerm_app_service" "web" {
  name                = "web"
  location            = "westeurope"
  resource_group_name = "main"
  app_service_plan_id = "x"
  https_only          = false
  site_config {
    min_tls_version = "1.1"
  }
}
resource "azurerm_linux_web_app" "api" {
  name                = "api"
  location            = "westeurope"
  resource_group_name = "main"
  service_plan_id     = "x"
  site_config {
    remote_debugging_enabled = true
  }
}
resource "azurerm_linux_function_app" "jobs" {
  name                = "jobs"
  location            = "westeurope"
  resource_group_name = "main"
  service_plan_id     = "x"
  site_config {
    cors {
      allowed_origins = ["*"]
    }
  }
}
resource "azurerm_key_vault" "main" {
  name                = "main"
  location            = "westeurope"
  resource_group_name = "main"
  tenant_id           = "x"
  sku_name            = "standard"
}
resource "azurerm_key_vault_key" "main" {
  name         = "main"
  key_vault_id = azurerm_key_vault.main.id
  key_type     = "RSA"
  key_opts     = ["sign"]
}
resource "azurerm_key_vault_secret" "main" {
  name         = "main"
  value        = var.secret
  key_vault_id = azurerm_key_vault.main.id
}
variable "secret" {}
resource "azurerm_mssql_server" "sql" {
  name                         = "sql"
  resource_group_name          = "main"
  location                     = "westeurope"
  version                      = "12.0"
  administrator_login          = "root"
  administrator_login_password = "Geheim123!"
  minimum_tls_version          = "1.0"
}
resource "azurerm_mssql_firewall_rule" "all" {
  name             = "all"
  server_id        = azurerm_mssql_server.sql.id
  start_ip_address = "0.0.0.0"
  end_ip_address   = "255.255.255.255"
}
resource "azurerm_mssql_server_security_alert_policy" "sql" {
  resource_group_name = "main"
  server_name         = azurerm_mssql_server.sql.name
  state               = "Enabled"
  disabled_alerts     = ["Sql_Injection"]
}
resource "azurerm_mysql_server" "my" {
  name                          = "my"
  location                      = "westeurope"
  resource_group_name           = "main"
  sku_name                      = "B_Gen5_2"
  version                       = "5.7"
  ssl_enforcement_enabled       = false
  public_network_access_enabled = true
}
resource "azurerm_postgresql_server" "pg" {
  name                    = "pg"
  location                = "westeurope"
  resource_group_name     = "main"
  sku_name                = "B_Gen5_2"
  version                 = "9.5"
  ssl_enforcement_enabled = false
}
resource "azurerm_postgresql_configuration" "checkpoints" {
  name                = "log_checkpoints"
  resource_group_name = "main"
  server_name         = azurerm_postgresql_server.pg.name
  value               = "off"
}
resource "azurerm_network_security_group" "open" {
  name                = "open"
  location            = "westeurope"
  resource_group_name = "main"
  security_rule {
    name                       = "ssh"
    priority                   = 100
    direction                  = "Inbound"
    access                     = "Allow"
    protocol                   = "Tcp"
    source_port_range          = "*"
    destination_port_range     = "22-23"
    source_address_prefix      = "Internet"
    destination_address_prefix = "*"
  }
}
resource "azurerm_network_security_rule" "rdp" {
  name                        = "rdp"
  direction                   = "Inbound"
  access                      = "Allow"
  protocol                    = "Tcp"
  priority                    = 110
  source_port_range           = "*"
  destination_port_ranges     = ["3389"]
  source_address_prefix       = "*"
  destination_address_prefix  = "*"
  resource_group_name         = "main"
  network_security_group_name = "open"
}
resource "azurerm_virtual_network" "main" {
  name                = "main"
  address_space       = ["10.0.0.0/16"]
  location            = "westeurope"
  resource_group_name = "main"
}
resource "azurerm_subnet" "apps" {
  name                 = "apps"
  resource_group_name  = "main"
  virtual_network_name = azurerm_virtual_network.main.name
  address_prefixes     = ["10.0.1.0/24"]
}
resource "azurerm_network_interface" "vm" {
  name                = "vm"
  location            = "westeurope"
  resource_group_name = "main"
  ip_configuration {
    name                          = "internal"
    subnet_id                     = azurerm_subnet.apps.id
    private_ip_address_allocation = "Dynamic"
    public_ip_address_id          = azurerm_public_ip.vm.id
  }
}
resource "azurerm_public_ip" "vm" {
  name                = "vm"
  location            = "westeurope"
  resource_group_name = "main"
  allocation_method   = "Static"
}
resource "azurerm_network_watcher_flow_log" "main" {
  network_watcher_name = "w"
  resource_group_name  = "main"
  name                 = "log"
  storage_account_id   = azurerm_storage_account.files.id
  enabled              = true
  retention_policy {
    enabled = true
    days    = 7
  }
}
resource "azurerm_linux_virtual_machine" "vm" {
  name                            = "vm"
  resource_group_name             = "main"
  location                        = "westeurope"
  size                            = "Standard_F2"
  admin_username                  = "root1"
  admin_password                  = "Geheim123!"
  disable_password_authentication = false
  network_interface_ids           = [azurerm_network_interface.vm.id]
}
resource "azurerm_windows_virtual_machine" "vm" {
  name                  = "win"
  resource_group_name   = "main"
  location              = "westeurope"
  size                  = "Standard_F2"
  admin_username        = "root1"
  admin_password        = var.secret
  network_interface_ids = [azurerm_network_interface.vm.id]
}
resource "azurerm_role_definition" "all" {
  name  = "all"
  scope = "/subscriptions/x"
  permissions {
    actions = ["*"]
  }
}
resource "azurerm_security_center_subscription_pricing" "main" {
  tier = "Free"
}
resource "azurerm_security_center_contact" "main" {
  email               = "x@example.com"
  alert_notifications = false
  alerts_to_admins    = false
}
resource "azurerm_monitor_log_profile" "main" {
  name       = "main"
  categories = ["Write"]
  locations  = ["westeurope"]
  retention_policy {
    enabled = true
    days    = 30
  }
}
resource "azurerm_application_gateway" "front" {
  name                = "front"
  resource_group_name = "main"
  location            = "westeurope"
}
resource "azurerm_container_registry" "images" {
  name                = "images"
  resource_group_name = "main"
  location            = "westeurope"
  sku                 = "Premium"
  admin_enabled       = true
}
resource "azurerm_redis_cache" "cache" {
  name                = "cache"
  location            = "westeurope"
  resource_group_name = "main"
  capacity            = 2
  family              = "C"
  sku_name            = "Standard"
  non_ssl_port_enabled = true
}
resource "azurerm_cosmosdb_account" "docs" {
  name                = "docs"
  location            = "westeurope"
  resource_group_name = "main"
  offer_type          = "Standard"
}
resource "azurerm_servicebus_namespace" "bus" {
  name                = "bus"
  location            = "westeurope"
  resource_group_name = "main"
  sku                 = "Standard"
}
