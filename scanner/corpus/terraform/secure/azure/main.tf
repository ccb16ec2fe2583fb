resource "azurerm_storage_account" "files" {
  https_traffic_only_enabled      = true
  min_tls_version                 = "TLS1_2"
  allow_nested_items_to_be_public = false
  shared_access_key_enabled       = false
  network_rules {
    default_action = "Deny"
  }
}
resource "azurerm_storage_account" "other" {
  shared_access_key_enabled = false
}
resource "azurerm_storage_account_network_rules" "other" {
  storage_account_id = azurerm_storage_account.other.id
  default_action     = "Deny"
}
resource "azurerm_storage_container" "private" {
  container_access_type = "private"
}
resource "azurerm_managed_disk" "data" {
  disk_encryption_set_id        = azurerm_disk_encryption_set.main.id
  public_network_access_enabled = false
}
resource "azurerm_kubernetes_cluster" "main" {
  private_cluster_enabled           = true
  local_account_disabled            = true
  role_based_access_control_enabled = true
  disk_encryption_set_id            = azurerm_disk_encryption_set.main.id
  network_profile {
    network_plugin = "azure"
    network_policy = "calico"
  }
  oms_agent {
    log_analytics_workspace_id = "x"
  }
}
resource "azurerm_linux_web_app" "api" {
  https_only = true
  identity {
    type = "SystemAssigned"
  }
  logs {
    http_logs {
      file_system {
        retention_in_days = 7
        retention_in_mb   = 35
      }
    }
  }
  site_config {
    minimum_tls_version = "1.2"
    ftps_state          = "FtpsOnly"
    cors {
      allowed_origins = ["https://example.com"]
    }
  }
}
resource "azurerm_linux_function_app" "jobs" {
  https_only = true
  site_config {
    minimum_tls_version = "1.2"
  }
}
resource "azurerm_key_vault" "main" {
  purge_protection_enabled = true
  network_acls {
    default_action = "Deny"
    bypass         = "AzureServices"
  }
}
resource "azurerm_key_vault_key" "main" {
  expiration_date = "2027-01-01T00:00:00Z"
}
resource "azurerm_key_vault_secret" "main" {
  value           = var.secret
  expiration_date = "2027-01-01T00:00:00Z"
}
variable "secret" {
  sensitive = true
}
resource "azurerm_mssql_server" "sql" {
  administrator_login_password  = var.secret
  minimum_tls_version           = "1.2"
  public_network_access_enabled = false

  azuread_administrator {
    login_username              = "database-administrators"
    object_id                   = "00000000-0000-0000-0000-000000000001"
    azuread_authentication_only = true
  }
}
resource "azurerm_mssql_server_extended_auditing_policy" "sql" {
  server_id = azurerm_mssql_server.sql.id
}
resource "azurerm_mssql_firewall_rule" "office" {
  server_id        = azurerm_mssql_server.sql.id
  start_ip_address = "192.0.2.1"
  end_ip_address   = "192.0.2.9"
}
resource "azurerm_mssql_server_security_alert_policy" "sql" {
  state                = "Enabled"
  email_account_admins = true
}
resource "azurerm_postgresql_server" "pg" {
  ssl_enforcement_enabled          = true
  ssl_minimal_tls_version_enforced = "TLS1_2"
  public_network_access_enabled    = false
  geo_redundant_backup_enabled     = true
  threat_detection_policy {
    enabled = true
  }
}
resource "azurerm_postgresql_configuration" "checkpoints" {
  name  = "log_checkpoints"
  value = "on"
}
resource "azurerm_postgresql_configuration" "vacuum" {
  name  = "autovacuum"
  value = "off"
}
resource "azurerm_network_security_group" "web" {
  security_rule {
    name                       = "https"
    direction                  = "Inbound"
    access                     = "Allow"
    destination_port_range     = "443"
    source_address_prefix      = "*"
  }
  security_rule {
    name                       = "ssh"
    direction                  = "Inbound"
    access                     = "Allow"
    destination_port_range     = "22"
    source_address_prefix      = "10.0.0.0/8"
  }
}
resource "azurerm_subnet" "apps" {
  name = "apps"
}
resource "azurerm_subnet_network_security_group_association" "apps" {
  subnet_id                 = azurerm_subnet.apps.id
  network_security_group_id = azurerm_network_security_group.web.id
}
resource "azurerm_subnet" "gateway" {
  name = "GatewaySubnet"
}
resource "azurerm_network_interface" "vm" {
  ip_configuration {
    subnet_id = azurerm_subnet.apps.id
  }
}
resource "azurerm_network_watcher_flow_log" "main" {
  retention_policy {
    enabled = true
    days    = 90
  }
}
resource "azurerm_linux_virtual_machine" "vm" {
  encryption_at_host_enabled = true
  allow_extension_operations = false
}
resource "azurerm_role_definition" "some" {
  permissions {
    actions = ["Microsoft.Compute/*/read"]
  }
}
resource "azurerm_security_center_subscription_pricing" "main" {
  tier = "Standard"
}
resource "azurerm_security_center_contact" "main" {
  phone               = "+49 30 1"
  alert_notifications = true
  alerts_to_admins    = true
}
resource "azurerm_application_gateway" "front" {
  firewall_policy_id = "x"
  ssl_policy {
    policy_name = "AppGwSslPolicy20220101"
  }
}
resource "azurerm_container_registry" "images" {
  admin_enabled                 = false
  public_network_access_enabled = false
}
resource "azurerm_redis_cache" "cache" {
  minimum_tls_version           = "1.2"
  public_network_access_enabled = false
}
resource "azurerm_cosmosdb_account" "docs" {
  public_network_access_enabled = false
  key_vault_key_id              = "x"
  local_authentication_disabled = true
}
resource "azurerm_servicebus_namespace" "bus" {
  local_auth_enabled            = false
  public_network_access_enabled = false
  minimum_tls_version           = "1.2"
  identity {
    type = "SystemAssigned"
  }
}
